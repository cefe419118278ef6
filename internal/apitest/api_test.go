package apitest

import (
	"context"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	goast "go/ast"

	"github.com/findspot/findspot/internal/golden"
	"github.com/findspot/findspot/internal/lint"
	"github.com/google/go-cmp/cmp"
)

// generated packages have their API in the definition that they are made of.
var generated = map[string]bool{"examples/serve/api/findspotv1": true, "examples/serve/api/findspotv1/findspotv1connect": true}

func TestAPI(t *testing.T) {
	ctx := context.Background()
	root, err := lint.Root(ctx)
	if err != nil {
		t.Fatal(err)
	}
	g, err := lint.Load(ctx, root)
	if err != nil {
		t.Fatal(err)
	}
	written := map[string]bool{}
	for _, p := range g.Own() {
		if !p.Public() || generated[p.Room()] {
			continue
		}
		pkg, err := g.Types(p.ImportPath)
		if err != nil {
			t.Errorf("%s: %v", p.Room(), err)
			continue
		}
		name := strings.ReplaceAll(p.Room(), "/", "_") + ".txt"
		if p.Room() == "." {
			name = "findspot.txt"
		}
		written[name] = true
		golden.Compare(t, filepath.Join("testdata", "api", name), Print(pkg))
	}
	entries, err := os.ReadDir(filepath.Join("testdata", "api"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !written[e.Name()] {
			t.Errorf("testdata/api/%s belongs to no package: remove it", e.Name())
		}
	}
}

func TestPrint(t *testing.T) {
	const src = `package p
import "context"
const Max = 3
var ErrGone error
type Kind string
type T struct { A int ` + "`json:\"a\"`" + `; b int }
func (t *T) Do(ctx context.Context, names ...string) (n int, err error) { return 0, nil }
func (t *T) hidden() {}
type Doer interface { Do(func(name string) bool) error }
type Alias = T
func New(o *T) *T { return o }
`
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	pkg, err := conf.Check("p", fset, []*goast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := `package p

const Max untyped int = 3
func New(*T) *T
method (*T) Do(context.Context, ...string) (int, error)
type Alias = T
type Doer interface
type Doer interface, Do(func(string) bool) error
type Kind string
type T struct
type T struct, A int ` + "`json:\"a\"`" + `
var ErrGone error
`
	if diff := cmp.Diff(want, string(Print(pkg))); diff != "" {
		t.Errorf("Print (-want +got):\n%s", diff)
	}
}

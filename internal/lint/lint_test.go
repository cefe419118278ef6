package lint

import (
	"bytes"
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// rooms must build without a C compiler; .ci/run holds the same list.
var rooms = []string{
	".", "./chunk", "./docsearch/...", "./codegraph", "./codegraph/lang", "./codegraph/gosyntax", "./lspclient/...", "./skill/...",
}

var loadOnce = sync.OnceValues(func() (*Graph, error) {
	ctx := context.Background()
	dir, err := Root(ctx)
	if err != nil {
		return nil, err
	}
	return Load(ctx, dir)
})

func load(t *testing.T) *Graph {
	t.Helper()
	g, err := loadOnce()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func root(t *testing.T) string {
	t.Helper()
	dir, err := Root(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestRoomsBuildWithoutCgo(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the rooms once more")
	}
	cmd := exec.Command("go", append([]string{"build"}, rooms...)...)
	cmd.Dir = root(t)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("CGO_ENABLED=0 go build %s: %v\n%s", strings.Join(rooms, " "), err, out)
	}
	ci, err := os.ReadFile(filepath.Join(root(t), ".ci", "run"))
	if err != nil {
		t.Fatal(err)
	}
	if list := "rooms=(" + strings.Join(rooms, " ") + ")"; !bytes.Contains(ci, []byte(list)) {
		t.Errorf(".ci/run does not hold the list of this test: %s", list)
	}
}

func TestEveryPackageHasADoc(t *testing.T) {
	for _, p := range load(t).Own() {
		if len(p.GoFiles) == 0 && len(p.CgoFiles) == 0 {
			continue // tests only
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, "doc.go"), nil, parser.ParseComments)
		if err != nil {
			t.Errorf("%s: %v", p.Room(), err)
			continue
		}
		want := "Package " + p.Name + " "
		if p.Name == "main" {
			base := filepath.Base(p.Dir)
			want = strings.ToUpper(base[:1]) + base[1:] + " "
		}
		if !strings.HasPrefix(f.Doc.Text(), want) {
			t.Errorf("%s/doc.go: the comment does not begin with %q", p.Room(), want)
		}
	}
}

// TestDeclarations finds init functions, exported variables that are no errors, contexts in exported structs and uses of the
// default logger. An unexported struct, or one of an internal package in an unexported field, may hold the context of the one
// call that it serves, and what owns processes may hold its own lifetime in a field named life. Tests are left out, and so are the programs in examples and generators.
func TestDeclarations(t *testing.T) {
	eachFile(t, func(name string, src []byte) {
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "examples/") || bytes.HasPrefix(src, []byte("//go:build ignore\n")) {
			return
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			return
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil && d.Name.Name == "init" {
					t.Errorf("%s: an init function: let the caller pass values", fset.Position(d.Pos()))
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					v, ok := s.(*ast.ValueSpec)
					if !ok || d.Tok != token.VAR {
						continue
					}
					for _, id := range v.Names {
						if id.IsExported() && !strings.HasPrefix(id.Name, "Err") && f.Name.Name != "errs" {
							t.Errorf("%s: exported variable %s: global state", fset.Position(id.Pos()), id.Name)
						}
					}
				}
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				st, ok := n.Type.(*ast.StructType)
				if !ok || !n.Name.IsExported() {
					return true
				}
				for _, field := range st.Fields.List {
					if isSelector(field.Type, "context", "Context") && (len(field.Names) != 1 || field.Names[0].Name != "life" && (!strings.Contains(name, "/internal/") || field.Names[0].IsExported())) {
						t.Errorf("%s: a context in a struct: pass it as the first argument", fset.Position(field.Pos()))
					}
				}
			case *ast.SelectorExpr:
				for _, fn := range []string{"Default", "SetDefault", "Debug", "Info", "Warn", "Error"} {
					if isSelector(n, "slog", fn) {
						t.Errorf("%s: slog.%s uses the default logger: take one as an option", fset.Position(n.Pos()), fn)
					}
				}
			}
			return true
		})
	})
}

func isSelector(x ast.Expr, pkg, name string) bool {
	sel, ok := x.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != name {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	return ok && id.Name == pkg
}

// eachFile calls f with each Go file of the module, whatever its build constraints, by its slash path from the root. What
// lies in testdata is not part of the module.
func eachFile(t *testing.T, f func(name string, src []byte)) {
	t.Helper()
	fsys := os.DirFS(root(t))
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		src, err := fs.ReadFile(fsys, name)
		if err == nil {
			f(name, src)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

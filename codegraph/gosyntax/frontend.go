package gosyntax

import (
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// version is the feature version of the facts.   1: first.
const version = 1

type frontend struct{}

// Frontend gives the front end for Go.
func Frontend() lang.Frontend { return frontend{} }

func (frontend) Name() string                       { return "go" }
func (frontend) Extensions() []string               { return []string{".go"} }
func (frontend) FeatureVersion() int                { return version }
func (frontend) Resolver(t lang.Tree) lang.Resolver { return newModules(t) }
func (frontend) Rules() lang.Rules                  { return rules }

func words(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

var rules = lang.Rules{
	PackageScope: true,
	BlockScope:   true,
	AllExported:  true,
	Conversion:   true,
	Config:       []string{"go.mod"},
	Builtins: words(`append cap clear close complex copy delete imag len make max min new panic print println real recover
any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8
uint16 uint32 uint64 uintptr true false iota nil`),
	Common: words(`Error String Close Read Write Len Less Swap Add Done Wait Lock Unlock RLock RUnlock Get Set Next Err
Scan Print Printf Println Errorf Fatal Fatalf Log Logf Run Name Value Reset Bytes Format Parse Unwrap Is As Load Store
Marshal Unmarshal MarshalJSON UnmarshalJSON Header Do Stop Start`),
}

// Parse gives the facts of one file. See [lang.Frontend].
func (frontend) Parse(ctx context.Context, path string, src []byte) (*lang.Facts, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, src, parser.SkipObjectResolution|parser.AllErrors)
	if f == nil {
		return nil, fmt.Errorf("go: %w", err)
	}
	var list scanner.ErrorList
	if err != nil && !errors.As(err, &list) {
		return nil, fmt.Errorf("go: %w", err)
	}
	w := &walker{tok: fset.File(f.FileStart), src: src}
	if w.tok == nil {
		return nil, errors.New("go: no package clause")
	}
	w.file(f)
	w.b.Facts.Lang, w.b.Facts.Errors = "go", int32(len(list))
	w.b.Facts.Lines = int32(w.tok.LineCount())
	if n := len(src); n > 0 && src[n-1] == '\n' {
		w.b.Facts.Lines = max(w.b.Facts.Lines-1, 1)
	}
	return &w.b.Facts, nil
}

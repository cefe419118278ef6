package gosyntax

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// version is the feature version of the facts.   1: first.   2: the last line of a file is counted.   3: a variable is not there in
// its own first value.   4: blocks are scopes, mentions are references.   5: build
// constraints.   6: the package clause, which 4 and 5 lost.
const version = 6

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
	AllExported:  true,
	Conversion:   true,
	Typed:        true,
	Call:         called,
	Config:       []string{"go.mod", "go.work"},
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
	f, tok, failed, err := parse(path, src)
	if err != nil {
		return nil, err
	}
	// The parser may lose every declaration behind an error. Then the one with the error is blanked, and what is left read
	// again.
	text := src
	var kept []ast.Decl
	for try := 0; failed != nil && try < 8 && countFuncs(f) < countFuncLines(text); try++ {
		rest, from, to := withoutDecl(text, failed[0].Pos.Offset)
		g, gtok, left, err := parse(path, rest)
		if err != nil || ctx.Err() != nil {
			break
		}
		// What can be read of it alone; offsets are the same in both trees.
		if alone, _, _, err := parse(path, onlyRange(text, from, to, int(f.Name.End())-tok.Base())); err == nil {
			kept = append(kept, alone.Decls...)
		}
		text, f, tok = rest, g, gtok
		if failed = append(left, failed...); len(left) == 0 {
			break
		}
	}
	f.Decls = append(f.Decls, kept...)
	slices.SortStableFunc(f.Decls, func(a, b ast.Decl) int { return int(a.Pos()) - int(b.Pos()) })
	w := &walker{tok: tok, src: src}
	w.file(f)
	w.b.Facts.Package = f.Name.Name
	if c := constraintOf(src[:max(0, min(len(src), int(f.Package)-tok.Base()))]); c != "" {
		w.b.Facts.Package += " " + c
	}
	w.b.Facts.Lang, w.b.Facts.Errors = "go", int32(len(failed))
	w.b.Facts.Lines = int32(w.tok.LineCount()) // what follows the last line's end is no line to it
	return &w.b.Facts, nil
}

// parse reads as much as it can and gives the syntax errors.
func parse(path string, src []byte) (*ast.File, *token.File, scanner.ErrorList, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, src, parser.SkipObjectResolution|parser.AllErrors)
	if f == nil {
		return nil, nil, nil, fmt.Errorf("go: %w", err)
	}
	var list scanner.ErrorList
	if err != nil && !errors.As(err, &list) {
		return nil, nil, nil, fmt.Errorf("go: %w", err)
	}
	tok := fset.File(f.FileStart)
	if tok == nil {
		return nil, nil, nil, errors.New("go: no package clause")
	}
	return f, tok, list, nil
}

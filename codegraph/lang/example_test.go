package lang_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"strings"
	"testing/fstest"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/codegraph/lang"
)

// tiny reads a language of two lines: "def NAME" opens a function, "call NAME" in it calls one.
type tiny struct{}

func (tiny) Name() string                     { return "tiny" }
func (tiny) Extensions() []string             { return []string{".tiny"} }
func (tiny) FeatureVersion() int              { return 1 }
func (tiny) Rules() lang.Rules                { return lang.Rules{} }
func (tiny) Resolver(lang.Tree) lang.Resolver { return noImports{} }

func (tiny) Parse(_ context.Context, _ string, src []byte) (*lang.Facts, error) {
	b := lang.Builder{Facts: lang.Facts{Lang: "tiny", Lines: int32(bytes.Count(src, []byte("\n")))}}
	scope, start := lang.File, int32(0)
	for i, line := range bytes.SplitAfter(src, []byte("\n")) {
		n, end := int32(i+1), start+int32(len(line))
		word, name, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		switch word {
		case "def":
			scope = b.Declare(lang.Decl{Name: name, Kind: lang.Function, Parent: lang.File, Signature: "def " + name, NameLine: n, Body: end,
				Span: lang.Span{Start: start, End: end, Line: n, Col: 1, EndLine: n, EndCol: int32(len(line))}})
			b.Bind(lang.Assign, lang.File, name, b.Decl(scope), n)
		case "call":
			call := b.Call(b.Name(scope, name), nil)
			b.Facts.Refs = append(b.Facts.Refs, lang.Ref{Kind: lang.Call, Scope: scope, X: call, Decl: lang.None, Name: name, Line: n, Col: 6, EndLine: n, EndCol: 6 + int32(len(name))})
			d := &b.Facts.Decls[scope] // the body goes on
			d.Span.End, d.Span.EndLine, d.Span.EndCol = end, n, int32(len(line))
		}
		start = end
	}
	return &b.Facts, b.Facts.Check()
}

type noImports struct{}

func (noImports) Module(string, lang.Import) (lang.Module, bool) { return lang.Module{}, false }
func (noImports) Sub(lang.Module, string) (lang.Module, bool)    { return lang.Module{}, false }

// A front end of a language is all that package codegraph needs to link its files.
func Example() {
	ctx := context.Background()
	repo := fstest.MapFS{"rx.tiny": {Data: []byte("def main\ncall detect\ncall missing\ndef detect\n")}}
	g, err := codegraph.Build(ctx, repo, []lang.Frontend{tiny{}}, nil)
	if err != nil {
		log.Fatal(err)
	}
	for e := range g.Edges() {
		fmt.Println(e)
	}
	fmt.Println(g.Unresolved("missing")[0].At, "is unresolved")
	// Output:
	// / contains rx.tiny  (exact)
	// rx.tiny contains rx.tiny:detect  (exact)  rx.tiny:4:1
	// rx.tiny contains rx.tiny:main  (exact)  rx.tiny:1:1
	// rx.tiny:main invokes rx.tiny:detect  (scope)  rx.tiny:2:6
	// rx.tiny:3:6 is unresolved
}

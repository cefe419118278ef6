package codegraph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/codegraph"
)

// What a program prints is the text for people, and names from outside add no lines and hide nothing.
func TestString(t *testing.T) {
	entity := codegraph.Entity{ID: "a\n.go:f", Kind: codegraph.KindFunction, Name: "f", Path: "a\n.go", Line: 3, EndLine: 4, Test: true, Generated: true}
	site := codegraph.Location{Path: "a.go", Line: 3, Col: 2, EndLine: 3, EndCol: 5}
	edge := codegraph.Edge{Src: "a.go:f", Dst: "b.go:g", Kind: codegraph.Invoke, Level: codegraph.LevelImport, Sites: []codegraph.Location{site}}
	hit := codegraph.EntityHit{Entity: entity, Match: "exact", Text: "func f() {\u202e\n}\n"}
	spot := codegraph.Spot{Entity: entity, Score: .5, Why: []codegraph.Reason{{Signal: "named", Score: .3, Words: []string{"f", "g"}}, {Signal: "path", Score: .2}}}
	const line = `a\n.go:f  a\n.go:3-4  (function`
	for _, tt := range []struct {
		v    fmt.Stringer
		want string
	}{
		{site, "a.go:3:2"},
		{entity, line + "; test; generated)"},
		{codegraph.Entity{ID: "/", Kind: codegraph.KindDirectory, Path: "/"}, "/  /  (directory)"},
		{edge, "a.go:f invokes b.go:g  (import)  a.go:3:2"},
		{codegraph.Edge{Src: "/", Dst: "a.go", Kind: codegraph.Contain, Level: codegraph.LevelExact}, "/ contains a.go  (exact)"},
		{hit, line + "; exact; test; generated)\n     func f() {[U+202E]\n     }\n"},
		{&codegraph.SearchResult{Total: 3, TestsHidden: 2, Hits: []codegraph.EntityHit{hit}}, hit.String() + "1 of 3 entities; 2 in test code, 0 in generated or vendored code not shown\n"},
		{codegraph.Retrieved{Entity: entity, Text: "x\u200b\n"}, "x[U+200B]\n"},
		{spot, "0.500  " + line + "; test; generated)\n     named 0.30: f, g; path 0.20\n"},
		{&codegraph.LocateResult{Total: 1, Spots: []codegraph.Spot{spot}}, spot.String() + "1 place; the text leads to 1 file\n"},
		{&codegraph.LocateResult{Total: 2, Truncated: true}, "0 places; the text leads to 2 files, and to more places in them\n"},
	} {
		if d := cmp.Diff(tt.want, tt.v.String()); d != "" {
			t.Errorf("%T (-want +got):\n%s", tt.v, d)
		}
	}
}

func TestWalkString(t *testing.T) {
	w, err := build(t, repo()).Traverse(t.Context(), []string{"radio/rx.go:Receiver.DetectPSS"}, &codegraph.TraverseOptions{Direction: codegraph.Callers})
	if err != nil {
		t.Fatal(err)
	}
	got := w.String()
	for _, want := range []string{"function radio/rx.go:Receiver.DetectPSS", "\n  ← invokes function radio/rx.go:Receiver.Run", "\n(1 entity one hop further)\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
}

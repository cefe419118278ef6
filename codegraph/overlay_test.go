package codegraph_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/codegraph/gosyntax"
	"github.com/findspot/findspot/codegraph/lang"
)

const overlaid = `package a

type A struct{}

func (A) Run() {}

type B struct{}

func (B) Run() {}

func pick() any { return nil }

func main(f func()) {
	x := pick()
	x.(A).Run()
	x.Only()
	f()
	y := other.Value
	y.Special()
}

type C struct{}

func (C) Special() {}

func last() { main(A{}.Run) }
`

// observation is of a name in a.go, to a name on another line of it.
func observation(src string, line int, name string, to int, toName, by string, call bool) lang.Observation {
	lines := strings.Split(src, "\n")
	at := func(line int, name string) lang.Place {
		col := int32(strings.Index(lines[line-1], name) + 1)
		return lang.Place{Path: "a.go", Line: int32(line), Col: col, EndLine: int32(line), EndCol: col + int32(len(name))}
	}
	o := lang.Observation{At: at(line, name), Name: toName, By: by, Call: call, Hash: sha256.Sum256([]byte(src))}
	if to > 0 {
		o.To = at(to, toName)
	}
	return o
}

func edges(g *codegraph.Graph, kinds ...codegraph.EdgeKind) []string {
	var out []string
	for e := range g.Edges() {
		if slices.Contains(kinds, e.Kind) {
			var at []string
			for _, s := range e.Sites {
				at = append(at, fmt.Sprint(s.Line))
			}
			out = append(out, fmt.Sprintf("%s %s %s %s %s %s", strings.TrimPrefix(e.Src, "a.go:"), e.Kind, strings.TrimPrefix(e.Dst, "a.go:"), e.Level,
				strings.Join(at, ","), e.By))
		}
	}
	return out
}

func TestOverlay(t *testing.T) {
	fsys := fstest.MapFS{"a.go": {Data: []byte(overlaid)}}
	g, err := codegraph.Build(t.Context(), fsys, []lang.Frontend{gosyntax.Frontend()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	before := edges(g, codegraph.Invoke)
	stale := observation(overlaid, 15, "Run", 9, "Run", "x 1", true)
	stale.Hash[0]++
	list := []lang.Observation{
		observation(overlaid, 15, "Run", 9, "Run", "gopls v1", true),    // B.Run instead of A.Run
		observation(overlaid, 14, "pick", 11, "pick", "gopls v1", true), // known already
		observation(overlaid, 16, "Only", 0, "Only", "gopls v1", true),  // leads outside
		observation(overlaid, 19, "Special", 24, "Special", "go/types go1", true),
		observation(overlaid, 26, "A", 3, "A", "gopls v1", false),
		observation(overlaid, 18, "Value", 18, "Value", "gopls v1", false), // nothing declares that
		stale,
	}
	over, sum, err := g.Overlay(t.Context(), list)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(codegraph.Overlaid{Applied: 5, Stale: 1, Unknown: 1}, sum); d != "" {
		t.Errorf("Overlay (-want +got):\n%s", d)
	}
	want := []string{
		"last invoke main scope 26 linker",
		"main invoke A.Run member 17 linker",
		"main invoke B.Run exact 15 gopls v1",
		"main invoke C.Special exact 19 go/types go1",
		"main invoke pick exact 14 gopls v1",
	}
	if d := cmp.Diff(want, edges(over, codegraph.Invoke)); d != "" {
		t.Errorf("edges (-want +got):\n%s", d)
	}
	if d := cmp.Diff(before, edges(g, codegraph.Invoke)); d != "" {
		t.Errorf("the graph below changed (-want +got):\n%s", d)
	}
	if u := over.Unresolved("Only"); len(u) != 1 || !u[0].Outside {
		t.Errorf("Unresolved(Only) = %+v, want one that leads outside", u)
	}
	// Walks see the same, in both directions.
	walk, err := over.Traverse(t.Context(), []string{"a.go:B.Run"}, &codegraph.TraverseOptions{Direction: codegraph.Callers, MinLevel: codegraph.LevelExact})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"a.go:B.Run", "a.go:main"}, walk.IDs); d != "" {
		t.Errorf("Traverse (-want +got):\n%s", d)
	}
	// Entities and the number of edges are those that are listed.
	_, n := over.Len()
	listed := 0
	for range over.Edges() {
		listed++
	}
	if n != listed {
		t.Errorf("Len: %d edges, %d are listed", n, listed)
	}
	open, outside := over.UnresolvedCount()
	was, wasOutside := g.UnresolvedCount()
	if open != was || outside != wasOutside {
		t.Errorf("UnresolvedCount = %d, %d; want %d, %d as before: what led outside still does", open, outside, was, wasOutside)
	}
}

// TestOverlayAddsUp lays two lists over a graph one after the other, and both over a graph of other content.
func TestOverlayAddsUp(t *testing.T) {
	fsys := fstest.MapFS{"a.go": {Data: []byte(overlaid)}}
	langs := []lang.Frontend{gosyntax.Frontend()}
	g, err := codegraph.Build(t.Context(), fsys, langs, nil)
	if err != nil {
		t.Fatal(err)
	}
	one := observation(overlaid, 19, "Special", 24, "Special", "go/types go1", true)
	two := observation(overlaid, 14, "pick", 11, "pick", "gopls v1", true)
	first, _, err := g.Overlay(t.Context(), []lang.Observation{one})
	if err != nil {
		t.Fatal(err)
	}
	second, sum, err := first.Overlay(t.Context(), []lang.Observation{two})
	if err != nil || sum.Applied != 2 {
		t.Fatalf("Overlay = %+v, %v, want 2 applied", sum, err)
	}
	both, _, err := g.Overlay(t.Context(), []lang.Observation{two, one})
	if err != nil {
		t.Fatal(err)
	}
	all := []codegraph.EdgeKind{codegraph.Contain, codegraph.Import, codegraph.Invoke, codegraph.Inherit, codegraph.Reference}
	if d := cmp.Diff(edges(both, all...), edges(second, all...)); d != "" {
		t.Errorf("one after the other (-together +after):\n%s", d)
	}
	edited, err := codegraph.Build(t.Context(), fstest.MapFS{"a.go": {Data: []byte(overlaid + "\n")}}, langs, nil)
	if err != nil {
		t.Fatal(err)
	}
	after, sum, err := edited.Overlay(t.Context(), []lang.Observation{one, two})
	if err != nil || sum != (codegraph.Overlaid{Stale: 2}) {
		t.Fatalf("Overlay of an edited file = %+v, %v, want 2 stale", sum, err)
	}
	if d := cmp.Diff(edges(edited, all...), edges(after, all...)); d != "" {
		t.Errorf("stale observations changed the graph (-want +got):\n%s", d)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := g.Overlay(ctx, []lang.Observation{one}); !errors.Is(err, context.Canceled) {
		t.Errorf("Overlay: %v, want %v", err, context.Canceled)
	}
}

// TestOverlayOfTypes lays what go/types says over the graph of the same files: nothing is left to weaker levels where it knows.
func TestOverlayOfTypes(t *testing.T) {
	src := `package a

type R interface{ Read() }
type File struct{}

func (*File) Read() {}

func open() *File { return nil }

func main(r R) {
	open().Read()
	r.Read()
	T := File{}
	T.Read()
}
`
	fsys := fstest.MapFS{"a.go": {Data: []byte(src)}}
	g, err := codegraph.Build(t.Context(), fsys, []lang.Frontend{gosyntax.Frontend()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	seen, err := gosyntax.Check(t.Context(), fsys, []string{"a.go"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	over, sum, err := g.Overlay(t.Context(), seen)
	if err != nil || sum.Unknown+sum.Stale > 0 || sum.Applied != len(seen) {
		t.Fatalf("Overlay of %d = %+v, %v", len(seen), sum, err)
	}
	for e := range over.Edges() {
		if (e.Kind == codegraph.Invoke || e.Kind == codegraph.Reference) && (e.Level != codegraph.LevelExact || !strings.HasPrefix(e.By, "go/types go")) {
			t.Errorf("%s %s %s: %s by %s", e.Src, e.Kind, e.Dst, e.Level, e.By)
		}
	}
	strip := func(list []string) []string {
		for i, s := range list {
			f := strings.Fields(s)
			list[i] = strings.Join(append(f[:3:3], f[4]), " ")
		}
		return list
	}
	if d := cmp.Diff(strip(edges(g, codegraph.Invoke)), strip(edges(over, codegraph.Invoke))); d != "" {
		t.Errorf("the linker and go/types disagree (-linker +types):\n%s", d)
	}
}

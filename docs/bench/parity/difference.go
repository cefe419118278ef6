package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph"
)

// Why only one of the two has an edge, as far as the ids tell. What is left is "other", and worth a look (-v).
const (
	constructor = "of a constructor, which LocAgent takes for its class"
	farther     = "in our graph, beyond this tree: calls of a constructor stand under it"
	lastName    = "to one of the same last name, where ours leads elsewhere or is left open"
	ofFile      = "of an import within a function, which is its file's in ours"
	text        = "of a folder or file without Python"
	below       = "below something that only one has"
	other       = "other"
)

// A difference counts edges by cause; those in both with constructors taken for their classes.
type difference struct {
	both                 int
	theirsOnly, oursOnly map[string]int
	unexplained          []edge // LocAgent's only, without a cause
}

// withoutConstructor gives the id that LocAgent has for an entity.
func withoutConstructor(id string) string { return strings.TrimSuffix(id, ".__init__") }

// A comparison knows what an edge is compared with.
type comparison struct {
	g     *codegraph.Graph
	edges map[edge]bool      // of our whole graph, constructors taken for their classes
	names map[[2]string]bool // source, and kind with last name of the destination
}

func newComparison(g *codegraph.Graph) *comparison {
	c := &comparison{g: g, edges: map[edge]bool{}, names: map[[2]string]bool{}}
	for e := range g.Edges() {
		folded := edge{withoutConstructor(e.Src), withoutConstructor(e.Dst), e.Kind}
		c.edges[folded] = true
		c.names[[2]string{folded.Src, string(e.Kind) + last(folded.Dst)}] = true
	}
	return c
}

// open reports that a source calls something of this name that our linker left open, or knows to be outside.
func (c *comparison) open(src, name string) bool {
	path := pathOf(src)
	for _, u := range c.g.Unresolved(name) {
		if u.At.Path == path {
			return true
		}
	}
	return false
}

// between compares two sets of edges. reached tells for a tree what each side reached, so that what hangs below a difference is
// told from the difference; nil for whole graphs.
func (c *comparison) between(theirs, ours map[edge]bool, reached func(side, id string) bool) *difference {
	d := &difference{theirsOnly: map[string]int{}, oursOnly: map[string]int{}}
	folded := map[edge]bool{}
	for e := range ours {
		folded[edge{withoutConstructor(e.Src), withoutConstructor(e.Dst), e.Kind}] = true
	}
	for e := range theirs {
		switch {
		case folded[e]:
			d.both++
		case c.edges[e]:
			d.theirsOnly[farther]++
		case e.Kind == codegraph.Import && c.edges[edge{pathOf(e.Src), e.Dst, e.Kind}]:
			d.theirsOnly[ofFile]++
		case reached != nil && !reached("ours", e.Src) && !reached("ours", e.Dst):
			d.theirsOnly[below]++
		case c.names[[2]string{e.Src, string(e.Kind) + last(e.Dst)}], c.open(e.Src, last(e.Dst)):
			d.theirsOnly[lastName]++
		default:
			d.theirsOnly[other]++
			d.unexplained = append(d.unexplained, e)
		}
	}
	for e := range ours {
		switch plain := (edge{withoutConstructor(e.Src), withoutConstructor(e.Dst), e.Kind}); {
		case theirs[plain]:
		case plain != e:
			d.oursOnly[constructor]++
		case isText(e.Src), isText(e.Dst):
			d.oursOnly[text]++
		case reached != nil && !reached("theirs", e.Src) && !reached("theirs", e.Dst):
			d.oursOnly[below]++
		default:
			d.oursOnly[other]++
		}
	}
	return d
}

// isText reports a file or folder in which LocAgent sees nothing.
func isText(id string) bool { return !strings.Contains(id, ":") && !strings.HasSuffix(id, ".py") }

func pathOf(id string) string {
	path, _, _ := strings.Cut(id, ":")
	return path
}

func last(id string) string { return id[strings.LastIndexAny(id, ".:/")+1:] }

func sum(m map[string]int) (n int) {
	for _, k := range m {
		n += k
	}
	return n
}

func causes(m map[string]int) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(m)) {
		out = append(out, fmt.Sprintf("%d %s", m[name], name))
	}
	return strings.Join(out, "; ")
}

// printOnly prints the edges of one side that the other lacks.
func printOnly(side string, edges, others map[edge]bool) {
	var out []string
	for e := range edges {
		if !others[e] {
			out = append(out, fmt.Sprintf("%s: %s %s %s", side, e.Src, e.Kind, e.Dst))
		}
	}
	slices.Sort(out)
	for _, l := range out {
		fmt.Fprintln(os.Stderr, l)
	}
}

package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// Why only one of the two has an edge, as far as the ids tell. What is left is "other", and worth a look (-v).
const (
	constructor = "of a constructor, which LocAgent takes for its class"
	lastName    = "to one of the same last name, while ours leads elsewhere"
	text        = "of a folder or file without Python"
	below       = "below something that only one has"
	other       = "other"
)

// A difference counts edges by cause.
type difference struct {
	both                 int
	theirsOnly, oursOnly map[string]int
}

// withoutConstructor gives the id that LocAgent has for an entity.
func withoutConstructor(id string) string { return strings.TrimSuffix(id, ".__init__") }

// between compares two sets of edges. reached tells for a tree what each side reached, so that what hangs below a difference is
// told from the difference; nil for whole graphs.
func between(theirs, ours map[edge]bool, reachedBy func(side string, id string) bool) *difference {
	d := &difference{theirsOnly: map[string]int{}, oursOnly: map[string]int{}}
	names := map[[2]string]bool{} // source and last name of what we have
	folded := map[edge]bool{}
	for e := range ours {
		names[[2]string{e.Src, string(e.Kind) + last(e.Dst)}] = true
		folded[edge{Src: withoutConstructor(e.Src), Dst: withoutConstructor(e.Dst), Kind: e.Kind}] = true
	}
	for e := range theirs {
		switch {
		case ours[e]:
			d.both++
		case folded[e]:
			d.both++ // the same call, of the constructor here
		case reachedBy != nil && !reachedBy("ours", e.Src) && !reachedBy("ours", e.Dst):
			d.theirsOnly[below]++
		case names[[2]string{e.Src, string(e.Kind) + last(e.Dst)}]:
			d.theirsOnly[lastName]++
		default:
			d.theirsOnly[other]++
		}
	}
	for e := range ours {
		plain := edge{Src: withoutConstructor(e.Src), Dst: withoutConstructor(e.Dst), Kind: e.Kind}
		switch {
		case theirs[e], theirs[plain] && plain != e:
		case strings.HasSuffix(e.Src, ".__init__"), strings.HasSuffix(e.Dst, ".__init__"):
			d.oursOnly[constructor]++
		case isText(e.Src), isText(e.Dst):
			d.oursOnly[text]++
		case reachedBy != nil && !reachedBy("theirs", e.Src) && !reachedBy("theirs", e.Dst):
			d.oursOnly[below]++
		default:
			d.oursOnly[other]++
		}
	}
	return d
}

// isText reports a file or folder in which LocAgent sees nothing.
func isText(id string) bool { return !strings.Contains(id, ":") && !strings.HasSuffix(id, ".py") }

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

package main

import (
	"fmt"
	"strings"

	"github.com/findspot/findspot/codegraph"
)

// An edge as both have it.
type edge struct {
	Src, Dst string
	Kind     codegraph.EdgeKind
}

// A line of a tree, with what it stands under.
type line struct{ parent, rel, id string }

var (
	kinds      = map[string]codegraph.EdgeKind{"contains": codegraph.Contain, "imports": codegraph.Import, "invokes": codegraph.Invoke, "inherits": codegraph.Inherit}
	directions = map[string]codegraph.Direction{"downstream": codegraph.Out, "upstream": codegraph.In, "both": codegraph.Both}
)

// edge is the edge that a line shows.
func (l line) edge() edge {
	name, back := strings.CutSuffix(l.rel, "-by")
	if back {
		return edge{Src: l.id, Dst: l.parent, Kind: kinds[name]}
	}
	return edge{Src: l.parent, Dst: l.id, Kind: kinds[name]}
}

// takeApart reads the lines of a printed tree.
func takeApart(text string) ([]line, error) {
	lines := strings.Split(text, "\n")
	type level struct {
		id    string
		width int
	}
	stack := []level{{lines[0], 0}}
	var out []line
	for _, l := range lines[1:] {
		at := strings.IndexAny(l, "├└")
		if at < 0 {
			return nil, fmt.Errorf("%q is no line of a tree", l)
		}
		width := len([]rune(l[:at]))
		rel, id, ok := strings.Cut(strings.TrimLeft(l[at:], "├└─ "), " ── ")
		if !ok {
			return nil, fmt.Errorf("%q is no line of a tree", l)
		}
		for len(stack) > 1 && stack[len(stack)-1].width > width {
			stack = stack[:len(stack)-1]
		}
		out = append(out, line{stack[len(stack)-1].id, rel, id})
		stack = append(stack, level{id, width + len([]rune(rel)) + 8})
	}
	return out, nil
}

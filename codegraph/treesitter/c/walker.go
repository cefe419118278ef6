package c

import (
	"cmp"
	"slices"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// A walker turns the tree of one C or C++ file into facts.
type walker struct {
	scopes
	anonymous int             // anonymous namespaces around
	tparam    [][]string      // template parameters that wait for their declaration
	result    []bool          // by function around: what it returns is worth a binding
	tags      map[string]bool // structures declared or announced outside of others
	depth     int
}

func parse(t *core.Tree, s *source) *lang.Facts {
	t.IndexLines(s.src)
	w := &walker{tags: map[string]bool{}}
	w.syntax = syntax{Sketch: core.Sketch{Tree: t}, s: s, cpp: s.cpp}
	w.plain, w.global = map[string]bool{}, map[string]int32{}
	slices.SortFunc(s.conditional, func(a, b byteRange) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) })
	end := int32(0)
	for _, a := range s.conditional {
		end = max(end, a.end)
		w.altEnd = append(w.altEnd, end)
	}
	w.directives()
	w.removedMacros()
	if len(t.Nodes) > 0 {
		w.top()
	}
	if s.cpp {
		return w.Facts("cpp")
	}
	return w.Facts("c")
}

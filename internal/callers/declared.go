package callers

import (
	"context"
	"slices"

	"github.com/findspot/findspot/codegraph"
)

// withOther adds to the symbols of a name what is the same symbol elsewhere: in C and C++ a prototype in a header and the function that it
// announces. All of them are looked for. Declared are those of them whose definition is among them too, which so are no symbols of their own.
func withOther(ctx context.Context, g *codegraph.Graph, symbols []codegraph.Entity) (all []codegraph.Entity, declared map[string]bool, err error) {
	declared = map[string]bool{}
	all = slices.Clone(symbols)
	for _, e := range symbols {
		w, err := g.Traverse(ctx, []string{e.ID}, &codegraph.TraverseOptions{Direction: codegraph.Both, Edges: []codegraph.EdgeKind{codegraph.Define}, Tests: true, Generated: true})
		if err != nil {
			return nil, nil, err
		}
		for _, edge := range w.Edges {
			declared[edge.Src] = true
		}
		for _, o := range w.Nodes {
			if !slices.ContainsFunc(all, func(e codegraph.Entity) bool { return e.ID == o.ID }) {
				all = append(all, o)
			}
		}
	}
	return all, declared, nil
}

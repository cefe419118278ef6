package codegraph

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Direction says which edges a traversal follows.
type Direction string

// The directions of a traversal.
const (
	Out     Direction = "out"     // from source to target
	In      Direction = "in"      // from target to source
	Both    Direction = "both"    // each way from the roots; further on in the way begun
	Callers Direction = "callers" // invoke edges backwards
	Callees Direction = "callees" // invoke edges forwards
	Users   Direction = "users"   // invoke, inherit, import and reference edges backwards: who uses it
)

// TraverseOptions of [Graph.Traverse].
type TraverseOptions struct {
	Direction Direction  // "" means Out
	Hops      int        // how far; 0 means 1, negative means as far as it goes
	Kinds     []Kind     // entities to visit; empty means all; the roots are always visited
	Edges     []EdgeKind // edges to follow; empty means all but Reference; ignored for Callers, Callees and Users
	MinLevel  Level      // follow only edges as strong as this; "" means all
	Tests     bool       // visit test code too; it is always visited when a root is test code
	Limit     int        // most entities besides the roots; 0 means 1000, negative means no limit
}

// A Walk is the part of a graph that a traversal visited.
type Walk struct {
	Roots       []string  `json:"roots"`
	Direction   Direction `json:"direction"`
	Hops        int       `json:"hops"`         // -1 means no limit
	IDs         []string  `json:"ids"`          // roots first, then in order of distance
	Nodes       []Entity  `json:"nodes"`        // in the order of IDs
	Edges       []Edge    `json:"edges"`        // in order of discovery
	Cut         int       `json:"cut"`          // entities found and left out because of the limit; they were not followed
	TestsHidden int       `json:"tests_hidden"` // entities found and left out because they are test code
}

func (o *TraverseOptions) withDefaults() (TraverseOptions, error) {
	var v TraverseOptions
	if o != nil {
		v = *o
	}
	var bad []error
	switch v.Direction {
	case "":
		v.Direction = Out
	case Out, In, Both:
	case Users:
		v.Edges = []EdgeKind{Invoke, Inherit, Import, Reference}
	case Callers, Callees:
		v.Edges = []EdgeKind{Invoke}
	default:
		bad = append(bad, fmt.Errorf("codegraph: unknown direction %q: use out, in, both, callers, callees or users", v.Direction))
	}
	for _, k := range v.Edges {
		if k.index() < 0 {
			bad = append(bad, fmt.Errorf("codegraph: unknown edge kind %q: use one of %v", k, edgeKinds))
		}
	}
	if len(v.Edges) == 0 {
		v.Edges = []EdgeKind{Contain, Import, Invoke, Inherit}
	}
	for _, k := range v.Kinds {
		if !slices.Contains([]Kind{KindDirectory, KindFile, KindClass, KindFunction}, k) {
			bad = append(bad, fmt.Errorf("codegraph: unknown entity kind %q: use directory, file, class or function", k))
		}
	}
	if v.MinLevel != "" && !slices.Contains(levels[:], v.MinLevel) {
		bad = append(bad, fmt.Errorf("codegraph: unknown level %q: use one of %v", v.MinLevel, Levels()))
	}
	if v.Hops == 0 {
		v.Hops = 1
	} else if v.Hops < 0 {
		v.Hops = -1
	}
	if v.Limit == 0 {
		v.Limit = 1000
	}
	return v, errors.Join(bad...)
}

// Traverse follows edges from the given entities, nearest first. Unknown ids fail the whole call with an error wrapping
// [ErrNotFound] that lists near ids.
func (g *Graph) Traverse(ctx context.Context, ids []string, o *TraverseOptions) (*Walk, error) {
	opt, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	roots, err := g.lookup(ids)
	if err != nil {
		return nil, err
	}
	w := &Walk{Direction: opt.Direction, Hops: opt.Hops, Roots: []string{}, IDs: []string{}, Nodes: []Entity{}, Edges: []Edge{}}
	t := walker{g: g, opt: opt, w: w, seen: map[uint32]bool{}, edges: map[uint32]bool{}, cut: map[uint32]bool{}, hidden: map[uint32]bool{}}
	for _, r := range roots {
		if g.isTest(r) {
			t.opt.Tests = true
		}
	}
	for _, r := range roots {
		if !t.seen[r] {
			w.Roots = append(w.Roots, g.nodeID(r))
			t.visit(r)
		}
	}
	t.left = opt.Limit
	forward := opt.Direction == Out || opt.Direction == Both || opt.Direction == Callees
	backward := opt.Direction == In || opt.Direction == Both || opt.Direction == Callers || opt.Direction == Users
	for _, way := range []struct{ on, back bool }{{forward, false}, {backward, true}} {
		if !way.on {
			continue
		}
		if err := t.run(ctx, slices.Compact(slices.Clone(roots)), way.back); err != nil {
			return nil, err
		}
	}
	w.Cut, w.TestsHidden = len(t.cut), len(t.hidden)
	return w, nil
}

type walker struct {
	g           *Graph
	opt         TraverseOptions
	w           *Walk
	left        int
	seen, edges map[uint32]bool
	cut, hidden map[uint32]bool
}

func (t *walker) visit(n uint32) {
	t.seen[n] = true
	t.w.IDs = append(t.w.IDs, t.g.nodeID(n))
	t.w.Nodes = append(t.w.Nodes, t.g.entity(n))
}

func (t *walker) run(ctx context.Context, frontier []uint32, back bool) error {
	done := map[uint32]bool{}
	for hop := 0; len(frontier) > 0 && (t.opt.Hops < 0 || hop < t.opt.Hops); hop++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		var next []uint32
		for _, n := range frontier {
			if done[n] {
				continue
			}
			done[n] = true
			for e := range t.g.adjacent(n, back) {
				if m, ok := t.follow(e, back); ok {
					next = append(next, m)
				}
			}
		}
		frontier = next
	}
	return nil
}

// follow takes one edge and gives the entity at its end.
func (t *walker) follow(i uint32, back bool) (uint32, bool) {
	if !slices.Contains(t.opt.Edges, edgeKinds[t.g.edgeKind(i)]) || !t.g.edgeLevel(i).AtLeast(t.opt.MinLevel) {
		return 0, false
	}
	src, m := t.g.ends(i)
	if back {
		m = src
	}
	if !t.seen[m] {
		switch {
		case len(t.opt.Kinds) > 0 && !slices.Contains(t.opt.Kinds, t.g.nodeKind(m)):
			return 0, false
		case t.g.isTest(m) && !t.opt.Tests:
			t.hidden[m] = true
			return 0, false
		case t.opt.Limit > 0 && t.left == 0:
			t.cut[m] = true
			return 0, false
		}
		t.left--
		t.visit(m)
	}
	if !t.edges[i] {
		t.edges[i] = true
		t.w.Edges = append(t.w.Edges, t.g.edge(i))
	}
	return m, true
}

// lookup finds nodes by id; all unknown ids are reported at once.
func (g *Graph) lookup(ids []string) ([]uint32, error) {
	var out []uint32
	var bad []error
	for _, id := range ids {
		if n, ok := g.find(id); ok {
			out = append(out, n)
			continue
		}
		err := fmt.Errorf("entity %q: %w", id, ErrNotFound)
		if near := g.Near(id, 3); len(near) > 0 {
			err = fmt.Errorf("entity %q: %w; near: %s", id, ErrNotFound, strings.Join(near, ", "))
		}
		bad = append(bad, err)
	}
	return out, errors.Join(bad...)
}

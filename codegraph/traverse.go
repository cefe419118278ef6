package codegraph

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/findspot/findspot/codegraph/internal/query"
	"github.com/findspot/findspot/codegraph/internal/snapshot"
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
	Edges     []EdgeKind // edges to follow; empty means all but Reference and Define; ignored for Callers, Callees and Users
	MinLevel  Level      // follow only edges as strong as this; "" means all
	Tests     bool       // visit test code too; it is always visited when a root is test code
	Generated bool       // visit generated and vendored code too; it is always visited when a root is such code
	Limit     int        // most entities besides the roots; 0 means 1000, negative means no limit
}

// A Walk is the part of a graph that a traversal visited. What it left out is counted by reason, each entity once: under
// the first of Cut, TestsHidden, GeneratedHidden, KindsHidden, WeakHidden and Beyond that applies.
type Walk struct {
	Roots           []string   `json:"roots"`
	Direction       Direction  `json:"direction"`
	Hops            int        `json:"hops"`             // -1 means no limit
	IDs             []string   `json:"ids"`              // roots first, then in order of distance
	Nodes           []Entity   `json:"nodes"`            // in the order of IDs
	Edges           []Edge     `json:"edges"`            // in order of discovery: by distance, then as WriteTree lists them
	Cut             int        `json:"cut"`              // entities found and left out because of the limit; they were not followed
	TestsHidden     int        `json:"tests_hidden"`     // entities found and left out because they are test code
	GeneratedHidden int        `json:"generated_hidden"` // entities found and left out because they are generated or vendored code
	KindsHidden     int        `json:"kinds_hidden"`     // entities found and left out because of Kinds
	WeakHidden      int        `json:"weak_hidden"`      // entities that only edges weaker than MinLevel lead to
	Beyond          int        `json:"beyond"`           // entities one hop behind the last
	About           []RootNote `json:"about"`            // in the order of Roots
}

// A RootNote tells what is not known of a root, so that "no callers" can be told from "callers unknown".
type RootNote struct {
	ID      string `json:"id"`
	Open    int    `json:"open"`    // references to its last name that the linker could not place; each may mean it
	Outside int    `json:"outside"` // references to its last name that are known to lead outside of the repository
	Uses    int    `json:"uses"`    // entities that mention it without a call, where the walk goes backwards and does not follow [Reference]
}

// withDefaults gives the options as package query takes them, and an empty walk.
func (o *TraverseOptions) withDefaults() (*query.TraverseOptions, *Walk, error) {
	var v TraverseOptions
	if o != nil {
		v = *o
	}
	v.Direction = cmp.Or(v.Direction, Out)
	kinds, bad := kindNumbers(v.Kinds, kinds[:], unknownKind)
	switch v.Direction {
	case Out, In, Both:
	case Users:
		v.Edges = []EdgeKind{Invoke, Inherit, Import, Reference}
	case Callers, Callees:
		v.Edges = []EdgeKind{Invoke}
	default:
		bad = append(bad, fmt.Errorf("codegraph: unknown direction %q: use out, in, both, callers, callees or users", v.Direction))
	}
	opt := &query.TraverseOptions{Forward: v.Direction.forward(), Backward: v.Direction.backward(), Hops: max(cmp.Or(v.Hops, 1), -1), Kinds: kinds,
		MinLevel: v.MinLevel.rank(), Tests: v.Tests, Generated: v.Generated, Limit: cmp.Or(v.Limit, 1000)}
	if len(v.Edges) == 0 {
		v.Edges = []EdgeKind{Contain, Import, Invoke, Inherit}
	}
	for _, k := range v.Edges {
		if i := slices.Index(edgeKinds[:], k); i >= 0 {
			opt.Follow[i] = true
		} else {
			bad = append(bad, fmt.Errorf("codegraph: unknown edge kind %q: use one of %v", k, edgeKinds))
		}
	}
	if v.MinLevel != "" && !slices.Contains(levels[:], v.MinLevel) {
		bad = append(bad, fmt.Errorf("codegraph: unknown level %q: use one of %v", v.MinLevel, levels))
	}
	return opt, &Walk{Direction: v.Direction, Hops: opt.Hops, Roots: []string{}, IDs: []string{}, Nodes: []Entity{}, Edges: []Edge{}, About: []RootNote{}}, errors.Join(bad...)
}

func (d Direction) forward() bool { return d == Out || d == Both || d == Callees }

func (d Direction) backward() bool { return d == In || d == Both || d == Callers || d == Users }

// Traverse follows edges from the given entities, nearest first: from each by kind in the order of [EdgeKinds], forwards
// by place in the source then, backwards by the id of the other entity. An entity is given by its id, as "path:line" (the
// innermost one there), or by a name that means no other; [Walk.Roots] has the ids. Others fail the whole call with an
// error wrapping [ErrNotFound] that lists near ids.
func (g *Graph) Traverse(ctx context.Context, ids []string, o *TraverseOptions) (*Walk, error) {
	opt, w, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	roots, err := lookup(g.s, ids)
	if err != nil {
		return nil, err
	}
	if err := w.add(ctx, Member{Graph: g}, roots, opt); err != nil {
		return nil, err
	}
	return w, nil
}

// lookup finds nodes by id, by "path:line", or by a name that means one entity alone; all others are reported at once.
func lookup(g *snapshot.Graph, ids []string) ([]uint32, error) {
	var out []uint32
	var bad []error
	for _, id := range ids {
		n, err := query.Member{Graph: g}.Resolve(id)
		if err != nil {
			bad = append(bad, err)
			continue
		}
		out = append(out, n)
	}
	return out, errors.Join(bad...)
}

// add adds what a traversal of one member visits.
func (w *Walk) add(ctx context.Context, m Member, roots []uint32, opt *query.TraverseOptions) error {
	g, in := m.Graph.s, m.query()
	t, err := query.Traverse(ctx, g, roots, opt)
	if err != nil {
		return err
	}
	for i, n := range t.Roots {
		id, a := in.ID(g.ID(n)), t.About[i]
		w.Roots = append(w.Roots, id)
		w.About = append(w.About, RootNote{ID: id, Open: a.Open, Outside: a.Outside, Uses: a.Uses})
	}
	w.IDs, w.Nodes, w.Edges = slices.Grow(w.IDs, len(t.Nodes)), slices.Grow(w.Nodes, len(t.Nodes)), slices.Grow(w.Edges, len(t.Edges))
	for _, n := range t.Nodes {
		e := entityOf(g.Node(n))
		e.ID = in.ID(e.ID)
		w.IDs, w.Nodes = append(w.IDs, e.ID), append(w.Nodes, e)
	}
	for _, i := range t.Edges {
		e := edgeOf(g, i)
		e.Src, e.Dst = in.ID(e.Src), in.ID(e.Dst)
		w.Edges = append(w.Edges, e)
	}
	w.Cut += t.Cut
	w.TestsHidden += t.TestsHidden
	w.GeneratedHidden += t.GeneratedHidden
	w.KindsHidden += t.KindsHidden
	w.WeakHidden += t.WeakHidden
	w.Beyond += t.Beyond
	return nil
}

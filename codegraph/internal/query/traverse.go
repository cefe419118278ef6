package query

import (
	"context"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/snapshot"
	"github.com/findspot/findspot/codegraph/internal/writtenname"
)

// TraverseOptions of [Traverse].
type TraverseOptions struct {
	Forward, Backward bool
	Hops              int // negative means as far as it goes
	Kinds             []uint8
	Follow            [model.Kinds]bool
	MinLevel          uint8 // the weakest level to follow
	Tests, Generated  bool
	Limit             int // most nodes besides the roots; negative means no limit
}

// A Walk is what a traversal visited, and counts what it left out by reason, each node once: under the first that applies.
type Walk struct {
	Roots, Nodes []uint32 // roots first, then in order of distance
	Edges        []uint32 // in order of discovery
	About        []Note   // in the order of Roots

	Cut, TestsHidden, GeneratedHidden, KindsHidden, WeakHidden, Beyond int
}

// A Note tells what is not known of a root.
type Note struct {
	Open, Outside int // references to its last name that the linker could not place; those known to lead outside
	Uses          int // entities that mention it without a call, where the walk goes backwards and does not follow references
}

// Traverse follows edges from some nodes, nearest first: from each by kind, forwards by place in the source then, backwards by the id of the
// other node. What a root only announces is visited with its definition.
func Traverse(ctx context.Context, g *snapshot.Graph, roots []uint32, o *TraverseOptions) (*Walk, error) {
	roots = withDefinitions(g, roots)
	w := &Walk{}
	t := walker{g: g, opt: *o, w: w, why: map[uint32]reason{}, edges: map[uint32]bool{}, loose: map[string]Note{}}
	for _, r := range roots {
		if g.IsTest(r) {
			t.opt.Tests = true
		}
		if g.IsGenerated(r) {
			t.opt.Generated = true
		}
	}
	for _, r := range roots {
		if t.why[r] != visited {
			w.Roots = append(w.Roots, r)
			t.visit(r)
			w.About = append(w.About, t.note(r))
		}
	}
	if o.Forward {
		if err := t.run(ctx, roots, false); err != nil {
			return nil, err
		}
	}
	if o.Backward {
		if err := t.run(ctx, roots, true); err != nil {
			return nil, err
		}
	}
	counts := [...]*int{overLimit: &w.Cut, testCode: &w.TestsHidden, generatedCode: &w.GeneratedHidden, otherKind: &w.KindsHidden, weak: &w.WeakHidden, beyond: &w.Beyond}
	for _, why := range t.why {
		if why != visited {
			*counts[why]++
		}
	}
	return w, nil
}

// withDefinitions adds the definitions of entities that are only announced.
func withDefinitions(g *snapshot.Graph, roots []uint32) []uint32 {
	out := slices.Clone(roots)
	for _, r := range roots {
		for e := range g.Adjacent(r, false) {
			if _, dst := g.Ends(e); g.EdgeKind(e) == model.Define && !slices.Contains(out, dst) {
				out = append(out, dst)
			}
		}
	}
	return out
}

// A reason says why an entity is not in a walk. The largest one counts.
type reason uint8

const (
	unseen reason = iota
	beyond
	weak
	otherKind
	generatedCode
	testCode
	overLimit
	visited
)

type walker struct {
	g     *snapshot.Graph
	opt   TraverseOptions // Limit counts down
	w     *Walk
	why   map[uint32]reason // of every node that was met
	edges map[uint32]bool
	loose map[string]Note // what was counted of a name: roots often share it
}

func (t *walker) visit(n uint32) {
	t.why[n] = visited
	t.w.Nodes = append(t.w.Nodes, n)
}

func (t *walker) leave(n uint32, why reason) { t.why[n] = max(t.why[n], why) }

// note tells what is not known of a root.
func (t *walker) note(r uint32) (out Note) {
	e := t.g.Node(r)
	if e.Kind != model.Class && e.Kind != model.Function {
		return out
	}
	count := func(name string) {
		n, ok := t.loose[name]
		if !ok {
			for _, u := range t.g.Unresolved(name) {
				n.Open += b2i(!u.Outside)
				n.Outside += b2i(u.Outside)
			}
			t.loose[name] = n
		}
		out.Open += n.Open
		out.Outside += n.Outside
	}
	count(e.Name)
	if class, ok := constructs(t.g, e); ok && class != e.Name {
		count(class)
	}
	if t.opt.Backward && !t.opt.Follow[model.Reference] {
		seen := map[uint32]bool{}
		for i := range t.g.Adjacent(r, true) {
			if src, _ := t.g.Ends(i); t.g.EdgeKind(i) == model.Reference {
				seen[src] = true
			}
		}
		out.Uses = len(seen)
	}
	return out
}

// constructs gives the class that e is the constructor of: calls are written with its name.
func constructs(g *snapshot.Graph, e snapshot.Node) (string, bool) {
	owner := writtenname.Unnumbered(e.ID)
	owner, ok := strings.CutSuffix(owner, "."+e.Name)
	if !ok || e.Kind != model.Function {
		return "", false
	}
	n, ok := g.Find(owner)
	if !ok || g.Kind(n) != model.Class {
		return "", false
	}
	class := g.Name(n)
	return class, e.Name == "__init__" || e.Name == "__new__" || e.Name == "constructor" || e.Name == class
}

// run follows edges one way, hop by hop. What is one hop behind the last is only counted.
func (t *walker) run(ctx context.Context, roots []uint32, back bool) error {
	done := make(map[uint32]bool, len(roots))
	for hop, frontier := 0, roots; len(frontier) > 0; hop++ {
		var next []uint32
		for i, n := range frontier {
			if i%256 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if done[n] {
				continue
			}
			done[n] = true
			if t.opt.Hops >= 0 && hop >= t.opt.Hops {
				for e := range t.g.Adjacent(n, back) {
					if m, why := t.end(e, back); why == unseen {
						t.leave(m, beyond)
					}
				}
				continue
			}
			for e := range t.steps(n, back) {
				if m, ok := t.follow(e, back); ok && !done[m] {
					next = append(next, m)
				}
			}
		}
		frontier = next
	}
	return nil
}

// steps yields the edges to follow from n: by kind in the order of package model, forwards by place then, backwards by the
// id of the source.
func (t *walker) steps(n uint32, back bool) func(func(uint32) bool) {
	return func(yield func(uint32) bool) {
		if !back { // they lie so
			t.g.Adjacent(n, false)(yield)
			return
		}
		var by [model.Kinds][]uint32
		for e := range t.g.Adjacent(n, true) {
			if k := t.g.EdgeKind(e); t.opt.Follow[k] {
				by[k] = append(by[k], e)
			}
		}
		for _, list := range by {
			for _, e := range list {
				if !yield(e) {
					return
				}
			}
		}
	}
}

// end gives the node that an edge leads to, and why it is not visited: unseen when it is, visited when the edge is not followed at all.
func (t *walker) end(i uint32, back bool) (uint32, reason) {
	src, m := t.g.Ends(i)
	if back {
		m = src
	}
	switch {
	case !t.opt.Follow[t.g.EdgeKind(i)]:
		return m, visited
	case t.g.EdgeLevel(i) > t.opt.MinLevel:
		return m, weak
	case t.why[m] == visited:
		return m, unseen
	case len(t.opt.Kinds) > 0 && !slices.Contains(t.opt.Kinds, t.g.Kind(m)):
		return m, otherKind
	case !t.opt.Tests && t.g.IsTest(m):
		return m, testCode
	case !t.opt.Generated && t.g.IsGenerated(m):
		return m, generatedCode
	}
	return m, unseen
}

// follow takes one edge and gives the entity at its end.
func (t *walker) follow(i uint32, back bool) (uint32, bool) {
	m, why := t.end(i, back)
	if why == visited {
		return 0, false
	}
	if why == unseen && t.why[m] != visited && t.opt.Limit == 0 {
		why = overLimit
	}
	if why != unseen {
		t.leave(m, why)
		return 0, false
	}
	if t.why[m] != visited {
		t.opt.Limit--
		t.visit(m)
	}
	if !t.edges[i] {
		t.edges[i] = true
		t.w.Edges = append(t.w.Edges, i)
	}
	return m, true
}

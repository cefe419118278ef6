package codegraph

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/writtenname"
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

// Traverse follows edges from the given entities, nearest first: from each by kind in the order of [EdgeKinds], forwards
// by place in the source then, backwards by the id of the other entity. An entity is given by its id, as "path:line" (the
// innermost one there), or by a name that means no other; [Walk.Roots] has the ids. Others fail the whole call with an
// error wrapping [ErrNotFound] that lists near ids.
func (g *Graph) Traverse(ctx context.Context, ids []string, o *TraverseOptions) (*Walk, error) {
	return g.traverse(ctx, ids, o, false)
}

// traverse is Traverse; full says that the limit is used up already.
func (g *Graph) traverse(ctx context.Context, ids []string, o *TraverseOptions, full bool) (*Walk, error) {
	opt, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	roots, err := g.lookup(ids)
	if err != nil {
		return nil, err
	}
	roots = g.withDefinitions(roots)
	w := &Walk{Direction: opt.Direction, Hops: opt.Hops, Roots: []string{}, IDs: []string{}, Nodes: []Entity{}, Edges: []Edge{}, About: []RootNote{}}
	t := walker{g: g, opt: opt, w: w, why: map[uint32]reason{}, edges: map[uint32]bool{}}
	for _, k := range opt.Edges {
		t.follows[k.index()] = true
	}
	for _, r := range roots {
		if g.isTest(r) {
			t.opt.Tests = true
		}
		if g.isGenerated(r) {
			t.opt.Generated = true
		}
	}
	if t.left = opt.Limit; full {
		t.left = 0
	}
	for _, r := range roots {
		if t.why[r] != visited {
			w.Roots = append(w.Roots, g.nodeID(r))
			t.visit(r)
			w.About = append(w.About, t.note(r))
		}
	}
	if opt.Direction.forward() {
		if err := t.run(ctx, roots, false); err != nil {
			return nil, err
		}
	}
	if opt.Direction.backward() {
		if err := t.run(ctx, roots, true); err != nil {
			return nil, err
		}
	}
	for _, why := range t.why {
		switch why {
		case overLimit:
			w.Cut++
		case testCode:
			w.TestsHidden++
		case generatedCode:
			w.GeneratedHidden++
		case otherKind:
			w.KindsHidden++
		case weak:
			w.WeakHidden++
		case beyond:
			w.Beyond++
		}
	}
	return w, nil
}

// withDefinitions adds to entities that are only announced the definitions of them: what holds of those is asked for.
func (g *Graph) withDefinitions(roots []uint32) []uint32 {
	out := slices.Clone(roots)
	for _, r := range roots {
		for e := range g.adjacent(r, false) {
			if _, dst := g.ends(e); g.edgeKind(e) == model.Define && !slices.Contains(out, dst) {
				out = append(out, dst)
			}
		}
	}
	return out
}

func (d Direction) forward() bool { return d == Out || d == Both || d == Callees }

func (d Direction) backward() bool { return d == In || d == Both || d == Callers || d == Users }

// A reason says why an entity is not in a walk; a stronger one is larger.
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
	g       *Graph
	opt     TraverseOptions
	follows [len(edgeKinds)]bool
	w       *Walk
	left    int
	why     map[uint32]reason // of every node that was met
	edges   map[uint32]bool
}

func (t *walker) visit(n uint32) {
	t.why[n] = visited
	e := t.g.entity(n)
	t.w.IDs = append(t.w.IDs, e.ID)
	t.w.Nodes = append(t.w.Nodes, e)
}

func (t *walker) leave(n uint32, why reason) { t.why[n] = max(t.why[n], why) }

// note tells what is not known of a root.
func (t *walker) note(r uint32) RootNote {
	e := t.g.entity(r)
	out := RootNote{ID: e.ID}
	if e.Kind != KindClass && e.Kind != KindFunction {
		return out
	}
	count := func(name string) {
		for _, u := range t.g.Unresolved(name) {
			out.Open += b2i(!u.Outside)
			out.Outside += b2i(u.Outside)
		}
	}
	count(e.Name)
	if class, ok := t.g.constructs(e); ok && class != e.Name {
		count(class)
	}
	if t.opt.Direction.backward() && !t.follows[Reference.index()] {
		seen := map[uint32]bool{}
		for i := range t.g.adjacent(r, true) {
			if src, _ := t.g.ends(i); t.g.edgeKind(i) == model.Reference {
				seen[src] = true
			}
		}
		out.Uses = len(seen)
	}
	return out
}

// constructs gives the name of the class that e is the constructor of, which calls are written with.
func (g *Graph) constructs(e Entity) (string, bool) {
	owner := writtenname.Unnumbered(e.ID)
	owner, ok := strings.CutSuffix(owner, "."+e.Name)
	if !ok || e.Kind != KindFunction {
		return "", false
	}
	n, ok := g.find(owner)
	if !ok || g.nodeKind(n) != KindClass {
		return "", false
	}
	class := g.nodeName(n)
	return class, e.Name == "__init__" || e.Name == "__new__" || e.Name == "constructor" || e.Name == class
}

func (t *walker) run(ctx context.Context, roots []uint32, back bool) error {
	done := make(map[uint32]bool, len(roots))
	frontier := roots
	for hop := 0; len(frontier) > 0 && (t.opt.Hops < 0 || hop < t.opt.Hops); hop++ {
		var next []uint32
		for i, n := range frontier {
			if i%256 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if done[n] {
				continue
			}
			done[n] = true
			for e := range t.steps(n, back) {
				if m, ok := t.follow(e, back); ok && !done[m] {
					next = append(next, m)
				}
			}
		}
		frontier = next
	}
	for i, n := range frontier {
		if i%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if done[n] {
			continue
		}
		done[n] = true
		for e := range t.g.adjacent(n, back) {
			if m, why := t.end(e, back); why == unseen {
				t.leave(m, beyond)
			}
		}
	}
	return nil
}

// steps yields the edges to follow from n: by kind in the order of [EdgeKinds], forwards by place then, backwards by the
// id of the source.
func (t *walker) steps(n uint32, back bool) func(func(uint32) bool) {
	return func(yield func(uint32) bool) {
		if !back { // they lie so
			t.g.adjacent(n, false)(yield)
			return
		}
		var by [len(edgeKinds)][]uint32
		for e := range t.g.adjacent(n, true) {
			if k := t.g.edgeKind(e); t.follows[k] {
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

// end gives the node that an edge leads to, and why it would not be visited; unseen for one that would be, and visited
// for an edge that is not followed at all.
func (t *walker) end(i uint32, back bool) (uint32, reason) {
	src, m := t.g.ends(i)
	if back {
		m = src
	}
	switch {
	case !t.follows[t.g.edgeKind(i)]:
		return m, visited
	case !t.g.edgeLevel(i).AtLeast(t.opt.MinLevel):
		return m, weak
	case t.why[m] == visited:
		return m, unseen
	case len(t.opt.Kinds) > 0 && !slices.Contains(t.opt.Kinds, t.g.nodeKind(m)):
		return m, otherKind
	case !t.opt.Tests && t.g.isTest(m):
		return m, testCode
	case !t.opt.Generated && t.g.isGenerated(m):
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
	if why == unseen && t.why[m] != visited && t.opt.Limit > 0 && t.left == 0 {
		why = overLimit
	}
	if why != unseen {
		t.leave(m, why)
		return 0, false
	}
	if t.why[m] != visited {
		t.left--
		t.visit(m)
	}
	if !t.edges[i] {
		t.edges[i] = true
		t.w.Edges = append(t.w.Edges, t.g.edge(i))
	}
	return m, true
}

// lookup finds nodes by id, by "path:line", or by a name that means one entity alone; all others are reported at once.
func (g *Graph) lookup(ids []string) ([]uint32, error) {
	var out []uint32
	var bad []error
	for _, id := range ids {
		n, err := g.one(Member{}, id)
		if err != nil {
			bad = append(bad, err)
			continue
		}
		out = append(out, n)
	}
	return out, errors.Join(bad...)
}

// maxNear is how many ids an error lists.
const maxNear = 5

// one finds the node that an id or name means; errors write ids as the member of a set shows them.
func (g *Graph) one(m Member, id string) (uint32, error) {
	meant := slices.DeleteFunc(g.meant(id), func(m nameMatch) bool { return m.fold })
	if len(meant) == 1 {
		return meant[0].node, nil
	}
	var near []string
	for _, x := range meant[:min(maxNear, len(meant))] {
		near = append(near, m.id(g.nodeID(x.node)))
	}
	local, id := id, m.id(id)
	if len(meant) > 0 {
		return 0, fmt.Errorf("entity %q: %w; %d have this name: %s", id, ErrNotFound, len(meant), strings.Join(near, ", "))
	}
	for _, n := range g.Near(local, maxNear) {
		near = append(near, m.id(n))
	}
	if len(near) > 0 {
		return 0, fmt.Errorf("entity %q: %w; near: %s", id, ErrNotFound, strings.Join(near, ", "))
	}
	return 0, fmt.Errorf("entity %q: %w", id, ErrNotFound)
}

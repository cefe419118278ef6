package codegraph

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/lang"
)

// Overlaid says what became of observations.
type Overlaid struct {
	Applied int `json:"applied"` // they hold in the graph
	Stale   int `json:"stale"`   // of a file that is not there, or has other content than the one observed
	Unknown int `json:"unknown"` // they lead to something that the graph has no entity for, or from a place that is in none
}

// An overlay is what observations make of a graph, which stays as it is below. Edges keep their numbers; the overlay's own
// follow behind those.
type overlay struct {
	base   *Graph // the graph below
	seen   []lang.Observation
	first  uint32 // number of the first edge of its own
	edges  []overEdge
	hidden map[uint32]bool     // edges that are no more, or have one of the overlay's in their place
	out    map[uint32][]uint32 // its own edges by source
	in     map[uint32][]uint32 // and by target
	lost   map[uint32]int      // hidden edges by target
	thin   map[uint32]bool     // nodes of which an edge is hidden, by source
	loose  map[placeKey]bool   // unresolved references that are known now: whether they lead outside
	open   int                 // what these change of the counts
	beyond int
}

type overEdge struct {
	src, dst uint32
	kind     uint8
	level    uint8
	by       string
	sites    []model.Site
}

type placeKey struct {
	path      string
	line, col int32
}

const linkerName = "linker"

// Overlay gives a graph with what a compiler or language servers observed laid over g, which stays as it is. At the place of an
// observation, edges of kind invoke and reference that are weaker than exact give way to the exact one; an edge that has no
// place left is gone. A call of a class keeps its edge to the constructor, and the other way round. An edge of which only some places
// were observed is exact as a whole, and names all who found it in By; one that lost a place keeps its level. Unresolved references at the place are resolved, or
// known to lead outside. Observations of content that is not the one in g are left out: so they fall away when a file is edited,
// and may be laid over every new graph of an index. They live in memory only. Overlays add up. The error is that of the context.
func (g *Graph) Overlay(ctx context.Context, seen []lang.Observation) (*Graph, Overlaid, error) {
	var sum Overlaid
	if err := ctx.Err(); err != nil {
		return nil, sum, err
	}
	base := g
	if g.over != nil {
		base = g.over.base
	}
	o := &overlay{base: base, first: base.edgeNumbers(), hidden: map[uint32]bool{}, out: map[uint32][]uint32{}, in: map[uint32][]uint32{},
		lost: map[uint32]int{}, thin: map[uint32]bool{}, loose: map[placeKey]bool{}}
	if g.over != nil {
		seen = slices.Concat(g.over.seen, seen)
	}
	o.seen = slices.Clone(seen)
	byPath := map[string][]lang.Observation{}
	for _, x := range seen {
		if h, ok := base.fileHash(x.At.Path); !ok || h != x.Hash {
			sum.Stale++
			continue
		}
		byPath[x.At.Path] = append(byPath[x.At.Path], x)
	}
	l := layer{g: base, o: o, edges: map[overKey]*overEdge{}, known: map[placeKey]bool{}}
	paths := make([]string, 0, len(byPath))
	for p := range byPath {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	for _, p := range paths {
		if err := ctx.Err(); err != nil {
			return nil, Overlaid{}, err
		}
		l.file(p, byPath[p], &sum)
	}
	l.references()
	l.finish()
	return base.with(o), sum, nil
}

type overKey struct {
	src, dst uint32
	kind     uint8
}

// A layer is an overlay that is being made.
type layer struct {
	g     *Graph
	o     *overlay
	edges map[overKey]*overEdge
	known map[placeKey]bool // places that are known now: whether they lead into the repository
}

// file lays what was observed in one file over its edges.
func (l *layer) file(path string, seen []lang.Observation, sum *Overlaid) {
	slices.SortStableFunc(seen, func(a, b lang.Observation) int {
		return cmp.Or(cmp.Compare(a.At.Line, b.At.Line), cmp.Compare(a.At.Col, b.At.Col), strings.Compare(a.By, b.By))
	})
	at := map[[2]int32][]uint32{} // edges by place
	for _, n := range l.g.fileNodes(path) {
		for e := range l.g.adjacent(n, false) {
			if k := edgeKinds[l.g.edgeKind(e)]; k == Invoke || k == Reference {
				for _, s := range l.g.edgeSites(e) {
					at[[2]int32{s.Line, s.Col}] = append(at[[2]int32{s.Line, s.Col}], e)
				}
			}
		}
	}
	for len(seen) > 0 {
		n := 1
		for n < len(seen) && seen[n].At.Line == seen[0].At.Line && seen[n].At.Col == seen[0].At.Col {
			n++
		}
		k := placeKey{path, seen[0].At.Line, seen[0].At.Col}
		done, inside := l.place(seen[:n], at[[2]int32{k.line, k.col}])
		sum.Applied += done
		sum.Unknown += n - done
		if done > 0 {
			l.known[k] = inside
		}
		seen = seen[n:]
	}
}

// references notes which unresolved references are known now.
func (l *layer) references() {
	for p, u := range l.g.allLoose {
		k := placeKey{p, u.line, u.col}
		inside, ok := l.known[k]
		if !ok {
			continue
		}
		l.o.loose[k] = !inside
		if u.outside {
			l.o.beyond--
		} else {
			l.o.open--
		}
		if !inside {
			l.o.beyond++
		}
	}
}

// place lays what was observed at one place over the edges there. It gives how many observations count, and whether any of them
// leads into the repository.
func (l *layer) place(seen []lang.Observation, edges []uint32) (done int, inside bool) {
	x := seen[0]
	here := model.Site{Line: x.At.Line, Col: x.At.Col, EndLine: x.At.EndLine, EndCol: x.At.EndCol}
	src, ok := uint32(0), false
	if len(edges) > 0 {
		src, _ = l.g.ends(edges[0])
		ok = true
	} else if e, found := l.g.Enclosing(x.At.Path, int(x.At.Line)); found {
		src, ok = l.g.find(e.ID)
	}
	if !ok {
		return 0, false
	}
	type exact struct {
		dst  uint32
		kind EdgeKind
		by   string
	}
	var found []exact
	for _, x := range seen {
		if x.To.Path == "" {
			done++
			continue
		}
		dst, ok := l.g.declared(x.To, x.Name)
		if !ok {
			continue
		}
		done++
		inside = true
		kind := Reference
		if x.Call {
			kind = Invoke
		}
		found = append(found, exact{dst, kind, x.By})
	}
	if done == 0 {
		return 0, false
	}
	// What is there already gives way, but for edges to the same entity, its class or its constructor.
	for _, e := range edges {
		if l.g.edgeLevel(e) == LevelExact {
			continue
		}
		_, dst := l.g.ends(e)
		kept := slices.ContainsFunc(found, func(f exact) bool {
			return f.dst != dst && f.kind == Invoke && l.g.edgeKind(e) == model.Invoke && (l.within(dst, f.dst) || l.within(f.dst, dst))
		})
		if !kept {
			l.copyOf(e).drop(here)
		}
	}
	for _, f := range found {
		if f.dst == src && f.kind == Reference {
			continue // what mentions itself, as the linker has it
		}
		l.add(src, f.dst, f.kind, here, f.by)
	}
	return done, inside
}

// within tells whether an entity is directly in a class.
func (l *layer) within(n, class uint32) bool {
	a, b := l.g.nodeID(n), l.g.nodeID(class)
	rest, ok := strings.CutPrefix(a, b+".")
	return ok && l.g.nodeKind(class) == KindClass && !strings.Contains(rest, ".")
}

// copyOf gives an edge of the graph as one of the overlay, which takes its place.
func (l *layer) copyOf(e uint32) *overEdge {
	src, dst := l.g.ends(e)
	k := overKey{src, dst, l.g.edgeKind(e)}
	c := l.edges[k]
	if c == nil {
		c = &overEdge{src: src, dst: dst, kind: k.kind}
		l.edges[k] = c
	}
	if !l.o.hidden[e] {
		l.o.hidden[e] = true
		l.o.lost[dst]++
		l.o.thin[src] = true
		if len(c.sites) == 0 || l.g.edgeLevel(e).rank() < c.level {
			c.level = l.g.edgeLevel(e).rank()
		}
		c.sites = append(c.sites, l.g.edgeSites(e)...)
		c.by = joinBy(c.by, linkerName)
	}
	return c
}

func (e *overEdge) drop(at model.Site) {
	e.sites = slices.DeleteFunc(e.sites, func(s model.Site) bool { return s.Line == at.Line && s.Col == at.Col })
}

// add makes an exact edge, together with what there is of it.
func (l *layer) add(src, dst uint32, kind EdgeKind, at model.Site, by string) {
	k := overKey{src, dst, uint8(kind.index())}
	c := l.edges[k]
	if c == nil {
		for e := range l.g.adjacent(src, false) {
			if _, d := l.g.ends(e); d == dst && l.g.edgeKind(e) == k.kind {
				c = l.copyOf(e)
				break
			}
		}
	}
	if c == nil {
		c = &overEdge{src: src, dst: dst, kind: k.kind}
		l.edges[k] = c
	}
	c.drop(at)
	if len(c.sites) == 0 {
		c.by = "" // nothing is left of what others found
	}
	c.sites, c.level, c.by = append(c.sites, at), model.LevelExact, joinBy(c.by, by)
}

// joinBy lists who found an edge, sorted.
func joinBy(list, by string) string {
	if list == "" || list == by {
		return by
	}
	all := append(strings.Split(list, ", "), by)
	slices.Sort(all)
	return strings.Join(slices.Compact(all), ", ")
}

// finish numbers the edges that have places left.
func (l *layer) finish() {
	for _, e := range l.edges {
		if len(e.sites) > 0 {
			slices.SortFunc(e.sites, model.CompareSites)
			l.o.edges = append(l.o.edges, *e)
		}
	}
	slices.SortFunc(l.o.edges, func(a, b overEdge) int {
		return cmp.Or(cmp.Compare(a.src, b.src), cmp.Compare(a.kind, b.kind), model.CompareSites(a.sites[0], b.sites[0]), cmp.Compare(a.dst, b.dst))
	})
	for i, e := range l.o.edges {
		n := l.o.first + uint32(i)
		l.o.out[e.src] = append(l.o.out[e.src], n)
		l.o.in[e.dst] = append(l.o.in[e.dst], n)
	}
}

// declared finds the entity with a name whose declaration has that name at a place.
func (g *Graph) declared(at lang.Place, name string) (uint32, bool) {
	best, found, size := uint32(0), false, 0
	for _, n := range g.fileNodes(at.Path) {
		if g.nodeName(n) != name {
			continue
		}
		e := g.entity(n)
		// The name of a declaration stands at its beginning, behind decorators; a variable in the body may have it too.
		if int(at.Line) < e.Line || int(at.Line) > e.EndLine || e.Kind == KindFile {
			continue
		}
		if s := e.EndLine - e.Line; !found || s < size {
			best, found, size = n, true, s
		}
	}
	return best, found
}

// edge gives one of the overlay's edges; nil for others.
func (o *overlay) edge(e uint32) *overEdge {
	if o == nil || e < o.first || int(e-o.first) >= len(o.edges) {
		return nil
	}
	return &o.edges[e-o.first]
}

// adjacent puts the overlay's edges among those of the graph.
func (o *overlay) adjacent(g *Graph, n uint32, back bool, plain func(func(uint32) bool)) func(func(uint32) bool) {
	own := o.out[n]
	if back {
		own = o.in[n]
	}
	return func(yield func(uint32) bool) {
		var list []uint32
		for e := range plain {
			if !o.hidden[e] {
				list = append(list, e)
			}
		}
		list = append(list, own...)
		if len(own) > 0 {
			slices.SortStableFunc(list, func(x, y uint32) int {
				a, c := g.ends(x)
				b, d := g.ends(y)
				if back {
					return cmp.Or(strings.Compare(g.nodePath(a), g.nodePath(b)), g.byID(a, b), cmp.Compare(g.edgeKind(x), g.edgeKind(y)))
				}
				return cmp.Or(cmp.Compare(g.edgeKind(x), g.edgeKind(y)), model.CompareSites(g.firstSite(x), g.firstSite(y)), g.byID(c, d))
			})
		}
		for _, e := range list {
			if !yield(e) {
				return
			}
		}
	}
}

// touches tells whether the edges of a node differ from those of the graph.
func (o *overlay) touches(n uint32, back bool) bool {
	switch {
	case o == nil:
		return false
	case back:
		return len(o.in[n]) > 0 || o.lost[n] > 0
	}
	return len(o.out[n]) > 0 || o.thin[n]
}

// more gives how many edges there are besides those of the graph.
func (o *overlay) more() int {
	if o == nil {
		return 0
	}
	return len(o.edges) - len(o.hidden)
}

// moreAt is more for the edges that end in a node.
func (o *overlay) moreAt(n uint32) int {
	if o == nil {
		return 0
	}
	return len(o.in[n]) - o.lost[n]
}

// finder tells who found an edge.
func (o *overlay) finder(e uint32) string {
	if x := o.edge(e); x != nil {
		return x.by
	}
	return linkerName
}

// left takes out of a list of unresolved references what is known now.
func (o *overlay) left(list []Unresolved) []Unresolved {
	if o == nil {
		return list
	}
	out := list[:0]
	for _, u := range list {
		outside, known := o.loose[placeKey{u.At.Path, int32(u.At.Line), int32(u.At.Col)}]
		if known && !outside {
			continue
		}
		u.Outside = u.Outside || known
		out = append(out, u)
	}
	return out
}

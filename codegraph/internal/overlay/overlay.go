package overlay

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/snapshot"
	"github.com/findspot/findspot/codegraph/lang"
)

// A Result says what became of observations.
type Result struct {
	Applied int // they hold in the graph
	Stale   int // of a file that is not there, or has other content than the one observed
	Unknown int // they lead to something that the graph has no entity for, or from a place that is in none
}

// Lay gives g with observations laid over it, besides those that are laid over it already. The error is that of the context.
func Lay(ctx context.Context, g *snapshot.Graph, observed []lang.Observation) (*snapshot.Graph, Result, error) {
	var sum Result
	base := g
	if o := g.Overlay(); o != nil {
		base, observed = o.Base, slices.Concat(o.Observed, observed)
	}
	_, first := base.Numbers()
	o := &snapshot.Overlay{Base: base, Observed: slices.Clone(observed), First: first, Hidden: map[uint32]bool{}, Out: map[uint32][]uint32{},
		In: map[uint32][]uint32{}, HiddenTo: map[uint32]int{}, HiddenFrom: map[uint32]bool{}, Known: map[snapshot.Position]bool{}}
	byPath := map[string][]lang.Observation{}
	for _, x := range observed {
		if h, ok := base.FileHash(x.At.Path); !ok || h != x.Hash {
			sum.Stale++
			continue
		}
		byPath[x.At.Path] = append(byPath[x.At.Path], x)
	}
	l := layer{g: base, o: o, edges: map[edgeKey]*snapshot.OverlayEdge{}, known: map[snapshot.Position]bool{}}
	for _, p := range slices.Sorted(maps.Keys(byPath)) {
		if err := ctx.Err(); err != nil {
			return nil, Result{}, err
		}
		l.file(p, byPath[p], &sum)
	}
	if err := ctx.Err(); err != nil {
		return nil, Result{}, err
	}
	l.references()
	l.finish()
	return snapshot.With(o), sum, nil
}

type edgeKey struct {
	src, dst uint32
	kind     uint8
}

// A layer is an overlay that is being made.
type layer struct {
	g     *snapshot.Graph
	o     *snapshot.Overlay
	edges map[edgeKey]*snapshot.OverlayEdge
	known map[snapshot.Position]bool // places that are known now: whether they lead into the repository
}

// file lays what was observed in one file over its edges.
func (l *layer) file(path string, observed []lang.Observation, sum *Result) {
	slices.SortStableFunc(observed, func(a, b lang.Observation) int {
		return cmp.Or(cmp.Compare(a.At.Line, b.At.Line), cmp.Compare(a.At.Col, b.At.Col), strings.Compare(a.By, b.By))
	})
	at := map[[2]int32][]uint32{} // edges by place
	for _, n := range l.g.FileNodes(path) {
		for e := range l.g.Adjacent(n, false) {
			if k := l.g.EdgeKind(e); k == model.Invoke || k == model.Reference {
				sites, _ := l.g.EdgeSites(e)
				for _, s := range sites {
					at[[2]int32{s.Line, s.Col}] = append(at[[2]int32{s.Line, s.Col}], e)
				}
			}
		}
	}
	for len(observed) > 0 {
		n := 1
		for n < len(observed) && observed[n].At.Line == observed[0].At.Line && observed[n].At.Col == observed[0].At.Col {
			n++
		}
		k := snapshot.Position{Path: path, Line: observed[0].At.Line, Col: observed[0].At.Col}
		done, inside := l.place(observed[:n], at[[2]int32{k.Line, k.Col}])
		sum.Applied += done
		sum.Unknown += n - done
		if done > 0 {
			l.known[k] = inside
		}
		observed = observed[n:]
	}
}

// references notes which unresolved references are known now.
func (l *layer) references() {
	for u := range l.g.AllUnresolved {
		k := snapshot.Position{Path: u.Path, Line: u.At.Line, Col: u.At.Col}
		inside, ok := l.known[k]
		if !ok {
			continue
		}
		l.o.Known[k] = !inside
		if u.Outside {
			l.o.Outside--
		} else {
			l.o.Opened--
		}
		if !inside {
			l.o.Outside++
		}
	}
}

// place lays what was observed at one place over the edges there. It gives how many observations count, and whether any of them
// leads into the repository.
func (l *layer) place(observed []lang.Observation, edges []uint32) (done int, inside bool) {
	x := observed[0]
	here := model.Site{Line: x.At.Line, Col: x.At.Col, EndLine: x.At.EndLine, EndCol: x.At.EndCol}
	src, ok := uint32(0), false
	if len(edges) > 0 {
		src, _ = l.g.Ends(edges[0])
		ok = true
	} else {
		src, ok = l.g.Enclosing(x.At.Path, int(x.At.Line))
	}
	if !ok {
		return 0, false
	}
	type exact struct {
		dst  uint32
		kind uint8
		by   string
	}
	var found []exact
	for _, x := range observed {
		if x.To.Path == "" {
			done++
			continue
		}
		dst, ok := declared(l.g, x.To, x.Name)
		if !ok {
			continue
		}
		done++
		inside = true
		kind := model.Reference
		if x.Call {
			kind = model.Invoke
		}
		found = append(found, exact{dst, kind, x.By})
	}
	if done == 0 {
		return 0, false
	}
	// What is there already gives way, but for edges to the same entity, its class or its constructor.
	for _, e := range edges {
		if l.g.EdgeLevel(e) == model.LevelExact {
			continue
		}
		_, dst := l.g.Ends(e)
		kept := slices.ContainsFunc(found, func(f exact) bool {
			return f.dst != dst && f.kind == model.Invoke && l.g.EdgeKind(e) == model.Invoke && (l.within(dst, f.dst) || l.within(f.dst, dst))
		})
		if !kept {
			drop(l.copyOf(e), here)
		}
	}
	for _, f := range found {
		if f.dst == src && f.kind == model.Reference {
			continue // what mentions itself, as the linker has it
		}
		l.add(src, f.dst, f.kind, here, f.by)
	}
	return done, inside
}

// within tells whether an entity is directly in a class.
func (l *layer) within(n, class uint32) bool {
	a, b := l.g.ID(n), l.g.ID(class)
	rest, ok := strings.CutPrefix(a, b+".")
	return ok && l.g.Kind(class) == model.Class && !strings.Contains(rest, ".")
}

// copyOf gives an edge of the graph as one of the overlay, which takes its place.
func (l *layer) copyOf(e uint32) *snapshot.OverlayEdge {
	src, dst := l.g.Ends(e)
	k := edgeKey{src, dst, l.g.EdgeKind(e)}
	c := l.edges[k]
	if c == nil {
		c = &snapshot.OverlayEdge{Src: src, Dst: dst, Kind: k.kind}
		l.edges[k] = c
	}
	if !l.o.Hidden[e] {
		l.o.Hidden[e] = true
		l.o.HiddenTo[dst]++
		l.o.HiddenFrom[src] = true
		if len(c.Sites) == 0 || l.g.EdgeLevel(e) < c.Level {
			c.Level = l.g.EdgeLevel(e)
		}
		sites, _ := l.g.EdgeSites(e)
		c.Sites = append(c.Sites, sites...)
		c.By = joinBy(c.By, snapshot.Linker)
	}
	return c
}

// drop takes a place away from an edge.
func drop(e *snapshot.OverlayEdge, at model.Site) {
	e.Sites = slices.DeleteFunc(e.Sites, func(s model.Site) bool { return s.Line == at.Line && s.Col == at.Col })
}

// add makes an exact edge, together with what there is of it.
func (l *layer) add(src, dst uint32, kind uint8, at model.Site, by string) {
	k := edgeKey{src, dst, kind}
	c := l.edges[k]
	if c == nil {
		for e := range l.g.Adjacent(src, false) {
			if _, d := l.g.Ends(e); d == dst && l.g.EdgeKind(e) == k.kind {
				c = l.copyOf(e)
				break
			}
		}
	}
	if c == nil {
		c = &snapshot.OverlayEdge{Src: src, Dst: dst, Kind: k.kind}
		l.edges[k] = c
	}
	drop(c, at)
	if len(c.Sites) == 0 {
		c.By = "" // nothing is left of what others found
	}
	c.Sites, c.Level, c.By = append(c.Sites, at), model.LevelExact, joinBy(c.By, by)
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
		if len(e.Sites) > 0 {
			slices.SortFunc(e.Sites, model.CompareSites)
			l.o.Edges = append(l.o.Edges, *e)
		}
	}
	slices.SortFunc(l.o.Edges, func(a, b snapshot.OverlayEdge) int {
		return cmp.Or(cmp.Compare(a.Src, b.Src), cmp.Compare(a.Kind, b.Kind), model.CompareSites(a.Sites[0], b.Sites[0]), cmp.Compare(a.Dst, b.Dst))
	})
	for i, e := range l.o.Edges {
		n := l.o.First + uint32(i)
		l.o.Out[e.Src] = append(l.o.Out[e.Src], n)
		l.o.In[e.Dst] = append(l.o.In[e.Dst], n)
	}
}

// declared finds the entity with a name whose declaration has that name at a place.
func declared(g *snapshot.Graph, at lang.Place, name string) (uint32, bool) {
	best, found, size := uint32(0), false, 0
	for _, n := range g.FileNodes(at.Path) {
		if g.Name(n) != name {
			continue
		}
		e := g.Node(n)
		// The name of a declaration stands at its beginning, behind decorators; a variable in the body may have it too.
		if int(at.Line) < e.Line || int(at.Line) > e.EndLine || e.Kind == model.File {
			continue
		}
		if s := e.EndLine - e.Line; !found || s < size {
			best, found, size = n, true, s
		}
	}
	return best, found
}

package snapshot

import (
	"cmp"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/lang"
)

// An Overlay is what observations change of a graph, which itself stays as it is. Its edges keep their numbers; those of the overlay follow.
type Overlay struct {
	Base       *Graph // the graph below
	Observed   []lang.Observation
	First      uint32 // number of the first edge of its own
	Edges      []OverlayEdge
	Hidden     map[uint32]bool     // edges of the graph that are gone, or replaced by one of the overlay
	Out        map[uint32][]uint32 // its own edges by source
	In         map[uint32][]uint32 // and by target
	HiddenTo   map[uint32]int      // hidden edges by target
	HiddenFrom map[uint32]bool     // nodes of which an edge is hidden, by source
	Known      map[Position]bool   // unresolved references that are known now: whether they lead outside
	Opened     int                 // what these change of the counts
	Outside    int
}

// An OverlayEdge is an edge of an overlay.
type OverlayEdge struct {
	Src, Dst    uint32
	Kind, Level uint8
	By          string
	Sites       []model.Site
}

// A Position is where a name stands.
type Position struct {
	Path      string
	Line, Col int32
}

// With gives the graph that an overlay makes of its base.
func With(o *Overlay) *Graph {
	g := o.Base
	return &Graph{FS: g.FS, Slots: g.Slots, Skipped: g.Skipped, Order: g.Order, NodeAt: g.NodeAt, EdgeAt: g.EdgeAt, nodes: g.nodes,
		edges: g.edges, open: g.open, outside: g.outside, Lexicon: g.Lexicon, over: o}
}

// edge gives one of the overlay's edges; nil for others.
func (o *Overlay) edge(e uint32) *OverlayEdge {
	if o == nil || e < o.First || int(e-o.First) >= len(o.Edges) {
		return nil
	}
	return &o.Edges[e-o.First]
}

// adjacent puts the overlay's edges among those of the graph.
func (o *Overlay) adjacent(g *Graph, n uint32, back bool, plain func(func(uint32) bool)) func(func(uint32) bool) {
	own, order := o.Out[n], g.compareForward
	if back {
		own, order = o.In[n], func(x, y uint32) int {
			a, _ := g.Ends(x)
			b, _ := g.Ends(y)
			return cmp.Or(strings.Compare(g.Path(a), g.Path(b)), g.ByID(a, b), cmp.Compare(g.EdgeKind(x), g.EdgeKind(y)))
		}
	}
	return func(yield func(uint32) bool) {
		var list []uint32
		for e := range plain {
			if !o.Hidden[e] {
				list = append(list, e)
			}
		}
		if len(own) > 0 {
			list = append(list, own...)
			slices.SortStableFunc(list, order)
		}
		for _, e := range list {
			if !yield(e) {
				return
			}
		}
	}
}

// touches tells whether the edges of a node differ from those of the graph.
func (o *Overlay) touches(n uint32, back bool) bool {
	switch {
	case o == nil:
		return false
	case back:
		return len(o.In[n]) > 0 || o.HiddenTo[n] > 0
	}
	return len(o.Out[n]) > 0 || o.HiddenFrom[n]
}

// left drops the unresolved references that the overlay resolves.
func (o *Overlay) left(list []Open) []Open {
	if o == nil {
		return list
	}
	out := list[:0]
	for _, u := range list {
		outside, known := o.Known[Position{u.Path, u.At.Line, u.At.Col}]
		if known && !outside {
			continue
		}
		u.Outside = u.Outside || known
		out = append(out, u)
	}
	return out
}

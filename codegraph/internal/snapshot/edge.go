package snapshot

import (
	"cmp"
	"slices"
	"sort"

	"github.com/findspot/findspot/codegraph/internal/block"
	"github.com/findspot/findspot/codegraph/internal/model"
)

// maker gives the file whose block holds edge e, and the edge's number there. Edges from directories are in no block.
func (g *Graph) maker(e uint32) (s, local uint32, ok bool) {
	if e < uint32(len(g.Slots)) {
		return 0, 0, false
	}
	s = LastAtMost(g.EdgeAt, e)
	return s, e - g.EdgeAt[s], true
}

// Ends gives the two nodes of edge e.
func (g *Graph) Ends(e uint32) (src, dst uint32) {
	if o := g.over.edge(e); o != nil {
		return o.Src, o.Dst
	}
	s, i, ok := g.maker(e)
	if !ok {
		d, _ := g.SlotAt(ParentPath(g.Slots[e].Path))
		return g.NodeAt[d], g.NodeAt[e]
	}
	b := g.Slots[s].Block
	t, n, _, _ := b.Edge(i)
	if f, m, ok := b.Source(i); ok {
		return g.NodeAt[f] + m, g.NodeAt[t] + n
	}
	return g.NodeAt[s] + b.EdgeWord(i, 3), g.NodeAt[t] + n
}

// EdgeKind gives the kind of edge e, that of package model.
func (g *Graph) EdgeKind(e uint32) uint8 {
	kind, _ := g.kindAndLevel(e)
	return kind
}

// EdgeLevel gives the level of edge e, that of package model.
func (g *Graph) EdgeLevel(e uint32) uint8 {
	_, level := g.kindAndLevel(e)
	return level
}

func (g *Graph) kindAndLevel(e uint32) (kind, level uint8) {
	if o := g.over.edge(e); o != nil {
		return o.Kind, o.Level
	}
	if s, i, ok := g.maker(e); ok {
		_, _, kind, level = g.Slots[s].Block.Edge(i)
		return kind, level
	}
	return model.Contain, model.LevelExact // by a directory
}

// Linker is the name under which the linker found edges.
const Linker = "linker"

// FoundBy tells who found edge e, several with commas.
func (g *Graph) FoundBy(e uint32) string {
	if o := g.over.edge(e); o != nil {
		return o.By
	}
	return Linker
}

// EdgeSites gives the places of edge e, in order, and the file that they are in.
func (g *Graph) EdgeSites(e uint32) (sites []model.Site, path string) {
	if o := g.over.edge(e); o != nil {
		return o.Sites, g.Path(o.Src)
	}
	if s, i, ok := g.maker(e); ok {
		b := g.Slots[s].Block
		for at := range b.Sites(b.EdgeWord(i, 2)) {
			sites = append(sites, at)
		}
		path = g.Slots[s].Path
	}
	return sites, path
}

func (g *Graph) firstSite(e uint32) model.Site {
	if o := g.over.edge(e); o != nil {
		return o.Sites[0]
	}
	if s, i, ok := g.maker(e); ok {
		for at := range g.Slots[s].Block.Sites(g.Slots[s].Block.EdgeWord(i, 2)) {
			return at
		}
	}
	return model.Site{}
}

// Adjacent yields the edges that leave n by kind and place, or those that reach it by source and kind.
func (g *Graph) Adjacent(n uint32, back bool) func(func(uint32) bool) {
	if g.over.touches(n, back) {
		return g.over.adjacent(g, n, back, g.linked(n, back))
	}
	return g.linked(n, back)
}

// linked is Adjacent without the overlay.
func (g *Graph) linked(n uint32, back bool) func(func(uint32) bool) {
	s, i := g.Place(n)
	sl := &g.Slots[s]
	return func(yield func(uint32) bool) {
		if back {
			if i == 0 && sl.Path != "/" && !yield(s) {
				return
			}
			from, to := sl.In.Reached(i)
			for at := from; at < to; at++ {
				if t, e := sl.In.Entry(at); !yield(g.EdgeAt[t] + e) {
					return
				}
			}
			return
		}
		if sl.Block.Flag(block.FlagDir) {
			for _, c := range g.within(s) {
				if !yield(c) {
					return
				}
			}
			return
		}
		var others []uint32
		for e := range sl.In.Outer {
			if e.Local == i {
				others = append(others, g.EdgeAt[e.Slot]+e.Edge)
			}
		}
		from, to := sl.Block.Node(i, block.NodeEdges), sl.Block.Node(i, block.NodeEdgesEnd)
		if others == nil {
			for e := from; e < to; e++ {
				if !yield(g.EdgeAt[s] + e) {
					return
				}
			}
			return
		}
		for e := from; e < to; e++ {
			others = append(others, g.EdgeAt[s]+e)
		}
		slices.SortFunc(others, g.compareForward)
		for _, e := range others {
			if !yield(e) {
				return
			}
		}
	}
}

// compareForward orders the edges of one source by kind, place and target.
func (g *Graph) compareForward(x, y uint32) int {
	_, a := g.Ends(x)
	_, b := g.Ends(y)
	return cmp.Or(cmp.Compare(g.EdgeKind(x), g.EdgeKind(y)), model.CompareSites(g.firstSite(x), g.firstSite(y)), g.ByID(a, b))
}

// Reached gives the number of edges that end in n.
func (g *Graph) Reached(n uint32) int {
	s, i := g.Place(n)
	from, to := g.Slots[s].In.Reached(i)
	if i == 0 && g.Slots[s].Path != "/" {
		to++
	}
	if g.over != nil {
		return int(to-from) + len(g.over.In[n]) - g.over.HiddenTo[n]
	}
	return int(to - from)
}

// An Open is a reference that the linker could not place.
type Open struct {
	Path    string
	At      model.Site
	Outside bool // it is known to lead outside of the repository
}

// Unresolved lists the open references to a last name, by place.
func (g *Graph) Unresolved(name string) []Open {
	var out []Open
	for _, s := range g.Order {
		b := g.Slots[s].Block
		word := func(i uint32) []byte { return b.TextBytes(b.LooseWord(i, 0), b.LooseWord(i, 1)) }
		i := uint32(sort.Search(int(b.Loose), func(i int) bool { return string(word(uint32(i))) >= name }))
		if i == b.Loose || string(word(i)) != name {
			continue
		}
		for at, outside := range b.Sites(b.LooseWord(i, 2)) {
			out = append(out, Open{g.Slots[s].Path, at, outside})
		}
	}
	return g.over.left(out)
}

// AllUnresolved yields the open references of the linker.
func (g *Graph) AllUnresolved(yield func(Open) bool) {
	for _, s := range g.Order {
		b := g.Slots[s].Block
		for i := range b.Loose {
			for at, outside := range b.Sites(b.LooseWord(i, 2)) {
				if !yield(Open{g.Slots[s].Path, at, outside}) {
					return
				}
			}
		}
	}
}

// UnresolvedCount gives the number of references that stayed open, and of those known to lead outside.
func (g *Graph) UnresolvedCount() (open, outside int) {
	if g.over != nil {
		return g.open + g.over.Opened, g.outside + g.over.Outside
	}
	return g.open, g.outside
}

package codegraph

import (
	"cmp"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/block"
	"github.com/findspot/findspot/codegraph/internal/codec"
	"github.com/findspot/findspot/codegraph/internal/model"
)

// The queries (traverse, retrieve, search) reach the graph through the functions of this file and through find and
// edge alone, so that how nodes and edges lie in memory can change without them.

// entity gives node n.
func (g *Graph) entity(n uint32) Entity {
	s, i := g.place(n)
	p, b := g.slots[s].path, g.slots[s].b
	e := Entity{ID: p, Kind: kindOf(b.Kind(i)), Name: block.NameOf(p, b, i), Path: p, Line: int(b.Node(i, block.NodeLine)), EndLine: int(b.Node(i, block.NodeEndLine)),
		Lang: b.Lang(), Test: b.Test(i), Vendored: b.Flag(block.FlagVendored), Generated: b.Flag(block.FlagGenerated)}
	if i > 0 {
		e.ID = p + ":" + string(b.Suffix(i))
		e.Signature = b.Text(b.Node(i, block.NodeSignature), b.Node(i, block.NodeEnd))
	}
	return e
}

// nodeID gives the id of node n.
func (g *Graph) nodeID(n uint32) string {
	s, i := g.place(n)
	if i == 0 {
		return g.slots[s].path
	}
	return g.slots[s].path + ":" + string(g.slots[s].b.Suffix(i))
}

// nodeKind gives the kind of node n.
func (g *Graph) nodeKind(n uint32) Kind {
	s, i := g.place(n)
	return kindOf(g.slots[s].b.Kind(i))
}

// nodeName gives the last name of node n.
func (g *Graph) nodeName(n uint32) string {
	s, i := g.place(n)
	return block.NameOf(g.slots[s].path, g.slots[s].b, i)
}

// nodePath gives the path of node n.
func (g *Graph) nodePath(n uint32) string { return g.slots[lastAtMost(g.nodeAt, n)].path }

// isTest tells whether node n is test code.
func (g *Graph) isTest(n uint32) bool {
	s, i := g.place(n)
	return g.slots[s].b.Test(i)
}

// isGenerated tells whether node n is code that was generated or is kept for others.
func (g *Graph) isGenerated(n uint32) bool {
	s, _ := g.place(n)
	return g.slots[s].b.Flag(block.FlagVendored | block.FlagGenerated)
}

// isPlain tells whether node n is a file whose language is not known.
func (g *Graph) isPlain(n uint32) bool {
	s, _ := g.place(n)
	b := g.slots[s].b
	return !b.Flag(block.FlagDir) && codec.Uint32(b.Raw, block.HeaderLang) == 0
}

// extent gives the range of node n in its file, in bytes, and where its signature ends.
func (g *Graph) extent(n uint32) (start, end, body int) {
	s, i := g.place(n)
	b := g.slots[s].b
	return int(b.Node(i, block.NodeStart)), int(b.Node(i, block.NodeStop)), int(b.Node(i, block.NodeBody))
}

// made gives the slot that made edge e and the edge's number there. Edges from directories are made by none.
func (g *Graph) made(e uint32) (s, local uint32, ok bool) {
	if e < uint32(len(g.slots)) {
		return 0, 0, false
	}
	s = lastAtMost(g.edgeAt, e)
	return s, e - g.edgeAt[s], true
}

// ends gives the two nodes of edge e.
func (g *Graph) ends(e uint32) (src, dst uint32) {
	if o := g.over.edge(e); o != nil {
		return o.src, o.dst
	}
	s, i, ok := g.made(e)
	if !ok {
		d, _ := g.slotAt(parentPath(g.slots[e].path))
		return g.nodeAt[d], g.nodeAt[e]
	}
	b := g.slots[s].b
	t, n, _, _ := b.Edge(i)
	if f, m, ok := b.Source(i); ok {
		return g.nodeAt[f] + m, g.nodeAt[t] + n
	}
	return g.nodeAt[s] + b.EdgeWord(i, 3), g.nodeAt[t] + n
}

// edgeKind gives the kind of edge e as its index in edgeKinds.
func (g *Graph) edgeKind(e uint32) uint8 {
	if o := g.over.edge(e); o != nil {
		return o.kind
	}
	if s, i, ok := g.made(e); ok {
		_, _, kind, _ := g.slots[s].b.Edge(i)
		return kind
	}
	return 0 // a directory contains
}

// edgeLevel gives the level of edge e.
func (g *Graph) edgeLevel(e uint32) Level {
	if o := g.over.edge(e); o != nil {
		return levels[o.level]
	}
	if s, i, ok := g.made(e); ok {
		_, _, _, level := g.slots[s].b.Edge(i)
		return levels[level]
	}
	return LevelExact
}

// edgeSites gives the places of edge e, in order.
func (g *Graph) edgeSites(e uint32) []model.Site {
	if o := g.over.edge(e); o != nil {
		return o.sites
	}
	var out []model.Site
	if s, i, ok := g.made(e); ok {
		b := g.slots[s].b
		for at := range b.Sites(b.EdgeWord(i, 2)) {
			out = append(out, at)
		}
	}
	return out
}

// sitePath gives the file that the places of edge e are in.
func (g *Graph) sitePath(e uint32) string {
	if o := g.over.edge(e); o != nil {
		return g.nodePath(o.src)
	}
	s, _, _ := g.made(e)
	return g.slots[s].path
}

// parentPath gives the directory that a file or directory is in.
func parentPath(p string) string {
	if i := strings.LastIndexByte(p, '/'); i > 0 {
		return p[:i]
	}
	return "/"
}

// within lists what is in a directory, by path.
func (g *Graph) within(dir uint32) []uint32 {
	if g.over != nil {
		return g.over.base.within(dir)
	}
	g.childrenOnce.Do(func() {
		g.children = map[uint32][]uint32{}
		for _, s := range g.order {
			if p := g.slots[s].path; p != "/" {
				if d, ok := g.slotAt(parentPath(p)); ok {
					g.children[d] = append(g.children[d], s)
				}
			}
		}
	})
	return g.children[dir]
}

// adjacent yields the edges that leave n by kind and place, or those that reach it by source and kind.
func (g *Graph) adjacent(n uint32, back bool) func(func(uint32) bool) {
	if g.over.touches(n, back) {
		return g.over.adjacent(g, n, back, g.linked(n, back))
	}
	return g.linked(n, back)
}

// linked is adjacent for what the linker found.
func (g *Graph) linked(n uint32, back bool) func(func(uint32) bool) {
	s, i := g.place(n)
	sl := &g.slots[s]
	return func(yield func(uint32) bool) {
		if back {
			if i == 0 && sl.path != "/" && !yield(s) {
				return
			}
			from, to := sl.in.Reached(i)
			for at := from; at < to; at++ {
				if t, e := sl.in.Entry(at); !yield(g.edgeAt[t] + e) {
					return
				}
			}
			return
		}
		if sl.b.Flag(block.FlagDir) {
			for _, c := range g.within(s) {
				if !yield(c) {
					return
				}
			}
			return
		}
		var others []uint32
		for e := range sl.in.Outer {
			if e.Local == i {
				others = append(others, g.edgeAt[e.Slot]+e.Edge)
			}
		}
		from, to := sl.b.Node(i, block.NodeEdges), sl.b.Node(i, block.NodeEdgesEnd)
		if others == nil {
			for e := from; e < to; e++ {
				if !yield(g.edgeAt[s] + e) {
					return
				}
			}
			return
		}
		for e := from; e < to; e++ {
			others = append(others, g.edgeAt[s]+e)
		}
		slices.SortFunc(others, func(x, y uint32) int {
			_, a := g.ends(x)
			_, b := g.ends(y)
			return cmp.Or(cmp.Compare(g.edgeKind(x), g.edgeKind(y)), model.CompareSites(g.firstSite(x), g.firstSite(y)), g.byID(a, b))
		})
		for _, e := range others {
			if !yield(e) {
				return
			}
		}
	}
}

func (g *Graph) firstSite(e uint32) model.Site {
	if o := g.over.edge(e); o != nil {
		return o.sites[0]
	}
	if s, i, ok := g.made(e); ok {
		for at := range g.slots[s].b.Sites(g.slots[s].b.EdgeWord(i, 2)) {
			return at
		}
	}
	return model.Site{}
}

// reached gives the number of edges that end in n.
func (g *Graph) reached(n uint32) int {
	s, i := g.place(n)
	from, to := g.slots[s].in.Reached(i)
	if i == 0 && g.slots[s].path != "/" {
		to++
	}
	return int(to-from) + g.over.moreAt(n)
}

package codegraph

import "github.com/findspot/findspot/codegraph/internal/block"

// What an overlay needs to know of the graph below it, see [Graph.Overlay].

// with gives the graph with an overlay.
func (g *Graph) with(o *overlay) *Graph {
	return &Graph{fsys: g.fsys, slots: g.slots, skipped: g.skipped, order: g.order, nodeAt: g.nodeAt, edgeAt: g.edgeAt, nodes: g.nodes,
		edges: g.edges, open: g.open, outside: g.outside, lex: g.lex, over: o}
}

// edgeNumbers gives a number above those of all edges.
func (g *Graph) edgeNumbers() uint32 { return g.edgeAt[len(g.edgeAt)-1] }

// fileHash gives the SHA-256 of a file's content.
func (g *Graph) fileHash(path string) ([32]byte, bool) {
	s, ok := g.slotAt(path)
	if !ok || g.slots[s].b.Flag(block.FlagDir) {
		return [32]byte{}, false
	}
	return g.slots[s].b.Hash(), true
}

// fileNodes lists the entities of a file, itself first.
func (g *Graph) fileNodes(path string) []uint32 {
	s, ok := g.slotAt(path)
	if !ok || g.slots[s].b.Flag(block.FlagDir) {
		return nil
	}
	b := g.slots[s].b
	out := make([]uint32, 0, b.Lives)
	for n := range b.Nodes {
		if b.Live(n) {
			out = append(out, g.nodeAt[s]+n)
		}
	}
	return out
}

// A loosePlace is the place of an unresolved reference.
type loosePlace struct {
	line, col int32
	outside   bool // it is known to lead outside
}

// allLoose yields the unresolved references with the paths of their files.
func (g *Graph) allLoose(yield func(string, loosePlace) bool) {
	for _, s := range g.order {
		b := g.slots[s].b
		for i := range b.Loose {
			for at, outside := range b.Sites(b.LooseWord(i, 2)) {
				if !yield(g.slots[s].path, loosePlace{at.Line, at.Col, outside}) {
					return
				}
			}
		}
	}
}

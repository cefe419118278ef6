package snapshot

import (
	"bytes"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/findspot/findspot/codegraph/internal/block"
	"github.com/findspot/findspot/codegraph/internal/codec"
	"github.com/findspot/findspot/codegraph/internal/scan"
)

// A Graph is one state of a repository. It is immutable once it is numbered, and safe for concurrent use. Graphs that follow one another share
// the blocks of the files that did not change.
type Graph struct {
	FS      fs.FS
	Slots   []Slot // by number, which a file or directory keeps as long as it lives
	Skipped []scan.Skip
	Lexicon *block.Lexicon // the words of most blocks; nil before the first save

	// Number derives what follows from the slots.
	Order         []uint32 // slots in use, by path
	NodeAt        []uint32 // by slot: number of its first node; one more at the end
	EdgeAt        []uint32 // by slot: number of the first edge it makes; before them stand the edges from directories, one a slot
	nodes, edges  int
	open, outside int

	over *Overlay // what was laid over it, or nil

	childrenOnce sync.Once
	children     map[uint32][]uint32 // slots in each directory, by path

	wordsOnce sync.Once
	words     *Words
}

// A Slot is the place of a file or directory in a graph. Its path is "" when it is free.
type Slot struct {
	Path  string
	Block *block.Block
	In    *block.Incoming // nil when nothing reaches it
}

// Number numbers nodes and edges, and sorts the slots by path. It takes over the order of the graph before, which may be nil, as far as it holds.
func (g *Graph) Number(prev *Graph) {
	stays := func(i uint32) bool {
		return prev != nil && i < uint32(len(prev.Slots)) && prev.Slots[i].Block != nil && g.Slots[i].Block != nil && prev.Slots[i].Path == g.Slots[i].Path
	}
	byPath := func(x, y uint32) int { return strings.Compare(g.Slots[x].Path, g.Slots[y].Path) }
	var fresh []uint32
	for i := range uint32(len(g.Slots)) {
		if g.Slots[i].Block != nil && !stays(i) {
			fresh = append(fresh, i)
		}
	}
	slices.SortFunc(fresh, byPath)
	g.Order = make([]uint32, 0, len(g.Slots))
	if prev != nil {
		for _, i := range prev.Order {
			if !stays(i) {
				continue
			}
			for len(fresh) > 0 && byPath(fresh[0], i) < 0 {
				g.Order, fresh = append(g.Order, fresh[0]), fresh[1:]
			}
			g.Order = append(g.Order, i)
		}
	}
	g.Order = append(g.Order, fresh...)
	g.Count()
}

// Count is Number where the order is known.
func (g *Graph) Count() {
	g.NodeAt, g.EdgeAt = make([]uint32, len(g.Slots)+1), make([]uint32, len(g.Slots)+1)
	edge := uint32(len(g.Slots))
	node := uint32(0)
	for i := range g.Slots {
		g.NodeAt[i], g.EdgeAt[i] = node, edge
		b := g.Slots[i].Block
		if b == nil {
			continue
		}
		node, edge = node+b.Nodes, edge+b.Edges
		g.edges += int(b.Edges)
		if g.Slots[i].Path != "/" {
			g.edges++ // from its directory
		}
		g.nodes += b.Lives
		g.open += int(codec.Uint32(b.Raw, block.HeaderOpen))
		g.outside += int(codec.Uint32(b.Raw, block.HeaderOutside))
	}
	g.NodeAt[len(g.Slots)], g.EdgeAt[len(g.Slots)] = node, edge
}

// Len gives the number of entities and of edges.
func (g *Graph) Len() (entities, edges int) {
	if g.over != nil {
		return g.nodes, g.edges + len(g.over.Edges) - len(g.over.Hidden)
	}
	return g.nodes, g.edges
}

// Numbers gives a number above those of all nodes, and one above those of all edges.
func (g *Graph) Numbers() (nodes, edges uint32) {
	return g.NodeAt[len(g.NodeAt)-1], g.EdgeAt[len(g.EdgeAt)-1]
}

// Overlay gives what was laid over a graph, nil for nothing.
func (g *Graph) Overlay() *Overlay { return g.over }

// SlotAt gives the slot of a path.
func (g *Graph) SlotAt(p string) (uint32, bool) {
	i, ok := slices.BinarySearchFunc(g.Order, p, func(s uint32, p string) int { return strings.Compare(g.Slots[s].Path, p) })
	if !ok {
		return 0, false
	}
	return g.Order[i], true
}

// Place gives slot and local number of a node.
func (g *Graph) Place(n uint32) (s, local uint32) {
	s = LastAtMost(g.NodeAt, n)
	return s, n - g.NodeAt[s]
}

// LastAtMost gives the last index of an ascending list whose number is not over n.
func LastAtMost(starts []uint32, n uint32) uint32 {
	lo, hi := 0, len(starts)
	for hi-lo > 1 {
		if m := int(uint(lo+hi) >> 1); starts[m] <= n {
			lo = m
		} else {
			hi = m
		}
	}
	return uint32(lo)
}

// Find gives the node with an id.
func (g *Graph) Find(id string) (uint32, bool) {
	if s, ok := g.SlotAt(id); ok {
		return g.NodeAt[s], true
	}
	for i := 0; i < len(id); i++ {
		if id[i] != ':' {
			continue
		}
		s, ok := g.SlotAt(id[:i])
		if !ok {
			continue
		}
		b := g.Slots[s].Block
		for n := uint32(1); n < b.Nodes; n++ {
			if string(b.Suffix(n)) == id[i+1:] && b.Live(n) {
				return g.NodeAt[s] + n, true
			}
		}
	}
	return 0, false
}

// ByID compares nodes by their ids.
func (g *Graph) ByID(x, y uint32) int {
	if x == y {
		return 0
	}
	s, n := g.Place(x)
	t, m := g.Place(y)
	if s == t {
		return bytes.Compare(g.Slots[s].Block.Suffix(n), g.Slots[t].Block.Suffix(m))
	}
	p, q := g.Slots[s].Path, g.Slots[t].Path
	if !strings.HasPrefix(p, q) && !strings.HasPrefix(q, p) {
		return strings.Compare(p, q)
	}
	return strings.Compare(g.ID(x), g.ID(y))
}

// All lists all nodes, by id.
func (g *Graph) All() []uint32 {
	out := make([]uint32, 0, g.nodes)
	for _, s := range g.Order {
		from := len(out)
		b := g.Slots[s].Block
		for n := range b.Nodes {
			if b.Live(n) {
				out = append(out, g.NodeAt[s]+n)
			}
		}
		slices.SortFunc(out[from:], func(x, y uint32) int {
			return bytes.Compare(b.Suffix(x-g.NodeAt[s]), b.Suffix(y-g.NodeAt[s]))
		})
	}
	slices.SortFunc(out, g.ByID) // nearly so already
	return out
}

// fileAt gives the block of a file.
func (g *Graph) fileAt(path string) (s uint32, b *block.Block, ok bool) {
	s, ok = g.SlotAt(path)
	if !ok || g.Slots[s].Block.Flag(block.FlagDir) {
		return 0, nil, false
	}
	return s, g.Slots[s].Block, true
}

// FileHash gives the SHA-256 of a file's content.
func (g *Graph) FileHash(path string) ([32]byte, bool) {
	_, b, ok := g.fileAt(path)
	if !ok {
		return [32]byte{}, false
	}
	return b.Hash(), true
}

// FileNodes lists the entities of a file, itself first.
func (g *Graph) FileNodes(path string) []uint32 {
	s, b, ok := g.fileAt(path)
	if !ok {
		return nil
	}
	out := make([]uint32, 0, b.Lives)
	for n := range b.Nodes {
		if b.Live(n) {
			out = append(out, g.NodeAt[s]+n)
		}
	}
	return out
}

// Enclosing gives the innermost entity around a line of a file, the file itself where there is none.
func (g *Graph) Enclosing(path string, line int) (uint32, bool) {
	s, b, ok := g.fileAt(path)
	if !ok || line < 1 || line > int(b.Node(0, block.NodeEndLine)) {
		return 0, false
	}
	best, first, size := uint32(0), uint32(0), uint32(1<<31)
	for n := uint32(1); n < b.Nodes; n++ {
		from, to := b.Node(n, block.NodeLine), b.Node(n, block.NodeEndLine)
		if !b.Live(n) || int(from) > line || int(to) < line || to-from > size {
			continue
		}
		// Of two on the same lines the one that begins later is the inner one.
		if at := b.Node(n, block.NodeDecl); to-from < size || at > first {
			best, first, size = n, at, to-from
		}
	}
	return g.NodeAt[s] + best, true
}

package snapshot

import (
	"strings"

	"github.com/findspot/findspot/codegraph/internal/block"
	"github.com/findspot/findspot/codegraph/internal/codec"
)

// A Node is what a graph says of a directory, file, class or function.
type Node struct {
	ID, Name, Path string
	Kind           uint8  // of package model
	Line, EndLine  int    // from 1, decorators included; 0 for a directory
	Signature      string // "" for files and directories
	Lang           string // "" for a directory, and where it is not known

	Test, Vendored, Generated bool
}

// Node gives node n.
func (g *Graph) Node(n uint32) Node {
	s, i := g.Place(n)
	p, b := g.Slots[s].Path, g.Slots[s].Block
	e := Node{ID: p, Kind: b.Kind(i), Name: block.NameOf(p, b, i), Path: p, Line: int(b.Node(i, block.NodeLine)), EndLine: int(b.Node(i, block.NodeEndLine)),
		Lang: b.Lang(), Test: b.Test(i), Vendored: b.Flag(block.FlagVendored), Generated: b.Flag(block.FlagGenerated)}
	if i > 0 {
		e.ID = p + ":" + string(b.Suffix(i))
		e.Signature = b.Text(b.Node(i, block.NodeSignature), b.Node(i, block.NodeEnd))
	}
	return e
}

// ID gives the id of node n.
func (g *Graph) ID(n uint32) string {
	s, i := g.Place(n)
	if i == 0 {
		return g.Slots[s].Path
	}
	return g.Slots[s].Path + ":" + string(g.Slots[s].Block.Suffix(i))
}

// Kind gives the kind of node n, that of package model.
func (g *Graph) Kind(n uint32) uint8 {
	s, i := g.Place(n)
	return g.Slots[s].Block.Kind(i)
}

// Name gives the last name of node n.
func (g *Graph) Name(n uint32) string {
	s, i := g.Place(n)
	return block.NameOf(g.Slots[s].Path, g.Slots[s].Block, i)
}

// Path gives the path of node n.
func (g *Graph) Path(n uint32) string { return g.Slots[LastAtMost(g.NodeAt, n)].Path }

// IsTest tells whether node n is test code.
func (g *Graph) IsTest(n uint32) bool {
	s, i := g.Place(n)
	return g.Slots[s].Block.Test(i)
}

// IsGenerated tells whether node n is generated or vendored code.
func (g *Graph) IsGenerated(n uint32) bool {
	s, _ := g.Place(n)
	return g.Slots[s].Block.Flag(block.FlagVendored | block.FlagGenerated)
}

// IsPlain tells whether node n is a file in no known language.
func (g *Graph) IsPlain(n uint32) bool {
	s, _ := g.Place(n)
	b := g.Slots[s].Block
	return !b.Flag(block.FlagDir) && codec.Uint32(b.Raw, block.HeaderLang) == 0
}

// Extent gives the range of node n in its file, in bytes, and where its signature ends.
func (g *Graph) Extent(n uint32) (start, end, body int) {
	s, i := g.Place(n)
	b := g.Slots[s].Block
	return int(b.Node(i, block.NodeStart)), int(b.Node(i, block.NodeStop)), int(b.Node(i, block.NodeBody))
}

// ParentPath gives the directory that a file or directory is in.
func ParentPath(p string) string {
	if i := strings.LastIndexByte(p, '/'); i > 0 {
		return p[:i]
	}
	return "/"
}

// within lists what is in a directory, by path.
func (g *Graph) within(dir uint32) []uint32 {
	if g.over != nil {
		return g.over.Base.within(dir)
	}
	g.childrenOnce.Do(func() {
		g.children = map[uint32][]uint32{}
		for _, s := range g.Order {
			if p := g.Slots[s].Path; p != "/" {
				if d, ok := g.SlotAt(ParentPath(p)); ok {
					g.children[d] = append(g.children[d], s)
				}
			}
		}
	})
	return g.children[dir]
}

package snapshot

import (
	"fmt"
	"io/fs"

	"github.com/findspot/findspot/codegraph/internal/block"
	"github.com/findspot/findspot/codegraph/internal/codec"
	"github.com/findspot/findspot/internal/errs"
)

// ValidPath tells whether a slot may have a path.
func ValidPath(p string) bool { return p == "/" || p != "." && fs.ValidPath(p) }

// Check makes sure that every edge leads somewhere, and that every path is there once with its directory. The graph is numbered.
func (g *Graph) Check() error {
	bad := func(what, p string) error { return fmt.Errorf("%w: %s of %s", errs.Format, what, p) }
	last, parent, first := "", "", true
	for _, i := range g.Order {
		p := g.Slots[i].Path
		if !first && p <= last {
			return bad("second slot", p)
		}
		last, first = p, false
		if p == "/" {
			continue
		}
		if dir := ParentPath(p); dir != parent { // those of one folder mostly stand together
			if d, ok := g.SlotAt(dir); !ok || !g.Slots[d].Block.Flag(block.FlagDir) {
				return bad("directory", p)
			}
			parent = dir
		}
	}
	// How many nodes and edges each slot has.
	type extent struct{ nodes, edges uint32 }
	have := make([]extent, len(g.Slots))
	holes := make([]bool, len(g.Slots))
	for i := range g.Slots {
		if b := g.Slots[i].Block; b != nil {
			have[i] = extent{b.Nodes, b.Edges}
			holes[i] = b.Lives < int(b.Nodes)
		}
	}
	ok := func(slot, local uint32) bool {
		return slot < uint32(len(have)) && local < have[slot].nodes && (!holes[slot] || g.Slots[slot].Block.Live(local))
	}
	for i := range g.Slots {
		s := &g.Slots[i]
		if s.Block == nil {
			continue
		}
		for at := s.Block.Raw[s.Block.EdgesAt:s.Block.ForeignAt]; len(at) >= 4*block.EdgeWords; at = at[4*block.EdgeWords:] {
			if !ok(codec.Uint32(at, 0), codec.Uint32(at, 1)&(block.MaxLocal-1)) {
				return bad("edge", s.Path)
			}
		}
		for at := s.Block.Raw[s.Block.ForeignAt:s.Block.LooseAt]; len(at) >= 8; at = at[8:] {
			if !ok(codec.Uint32(at, 0), codec.Uint32(at, 1)) {
				return bad("edge", s.Path)
			}
		}
		if s.In == nil {
			continue
		}
		made := func(slot, e uint32) bool { return slot < uint32(len(have)) && e < have[slot].edges }
		from := 4 * (s.In.Nodes + 2)
		to := from + 8*codec.Uint32(s.In.Raw, 1+s.In.Nodes)
		for at := s.In.Raw[from:to]; len(at) >= 8; at = at[8:] {
			if !made(codec.Uint32(at, 0), codec.Uint32(at, 1)) {
				return bad("list", s.Path)
			}
		}
		for at := s.In.Raw[to:]; len(at) >= 12; at = at[12:] {
			if !made(codec.Uint32(at, 1), codec.Uint32(at, 2)) {
				return bad("list", s.Path)
			}
		}
	}
	return nil
}

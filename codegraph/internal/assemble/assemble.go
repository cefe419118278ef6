package assemble

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/block"
	"github.com/findspot/findspot/codegraph/internal/codec"
	"github.com/findspot/findspot/codegraph/internal/link"
	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/scan"
	"github.com/findspot/findspot/codegraph/internal/snapshot"
	"github.com/findspot/findspot/codegraph/internal/sourcetext"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/lang"
)

// A Part is one file that the linker linked: what a block is made of.
type Part struct {
	*link.Linked
	Hash      [32]byte
	Generated bool                   // a program wrote the file
	Words     *sourcetext.WordCounts // nil when the file's content is that of its block
}

// An assembly makes the graph that follows another one: the blocks of some files are new, all others are shared.
type assembly struct {
	g      *snapshot.Graph
	slotOf map[string]uint32
	drafts map[uint32]*draft
	locals map[uint32]map[uint32]uint32 // of blocks that stay: local numbers by declaration
}

const gone int32 = -2

// Next makes the graph after g in which the given files are new or linked anew, and others are removed.
func Next(g *snapshot.Graph, parts []*Part, removed []string, skipped []scan.Skip) (*snapshot.Graph, error) {
	a := &assembly{g: &snapshot.Graph{FS: g.FS, Slots: slices.Clone(g.Slots), Skipped: skipped, Lexicon: g.Lexicon},
		slotOf: make(map[string]uint32, len(g.Order)+len(parts)), drafts: map[uint32]*draft{}, locals: map[uint32]map[uint32]uint32{}}
	for _, s := range g.Order {
		a.slotOf[g.Slots[s].Path] = s
	}
	moved := len(g.Order) == 0
	for _, p := range removed {
		if s, ok := a.slotOf[p]; ok {
			moved = true
			delete(a.slotOf, p)
			a.g.Slots[s] = snapshot.Slot{}
		}
	}
	for _, p := range parts {
		if _, ok := a.slotOf[p.Path]; !ok {
			moved = true
			a.add(p.Path)
		}
	}
	if moved {
		if err := a.directories(); err != nil {
			return nil, err
		}
	}
	for _, p := range parts {
		s := a.slotOf[p.Path]
		a.drafts[s] = newDraft(s, p.Facts, a.g.Slots[s].Block)
	}
	for _, p := range parts {
		b, err := a.block(p)
		if err != nil {
			return nil, err
		}
		a.g.Slots[a.slotOf[p.Path]].Block = b
	}
	if err := Incoming(a.g, g); err != nil {
		return nil, err
	}
	a.g.Number(g)
	return a.g, nil
}

func (a *assembly) add(p string) uint32 {
	s := uint32(len(a.g.Slots))
	a.g.Slots = append(a.g.Slots, snapshot.Slot{Path: p})
	a.slotOf[p] = s
	return s
}

// directories adds the directories that hold files, and drops those that hold none any more.
func (a *assembly) directories() error {
	want := map[string]bool{"/": true}
	for i := range a.g.Slots {
		s := &a.g.Slots[i]
		if s.Path == "" || s.Block != nil && s.Block.Flag(block.FlagDir) {
			continue
		}
		for d := path.Dir(s.Path); d != "." && !want[d]; d = path.Dir(d) {
			want[d] = true
		}
	}
	for i := range a.g.Slots {
		if s := &a.g.Slots[i]; s.Block != nil && s.Block.Flag(block.FlagDir) && !want[s.Path] {
			delete(a.slotOf, s.Path)
			*s = snapshot.Slot{}
		}
	}
	for _, d := range slices.Sorted(maps.Keys(want)) {
		if _, ok := a.slotOf[d]; !ok {
			s := a.add(d)
			b, err := directoryBlock(d)
			if err != nil {
				return err
			}
			a.g.Slots[s].Block = b
		}
	}
	return nil
}

// A rawEdge is one edge at one place.
type rawEdge struct {
	foreign      bool
	srcSlot, src uint32
	dstSlot, dst uint32
	rank         uint32 // of the source
	kind, level  uint8
	at           model.Site
}

// number gives slot and local number of an entity.
func (a *assembly) number(f *symtab.File, decl int32) (slot, local uint32, err error) {
	slot, ok := a.slotOf[f.Path]
	if !ok {
		return 0, 0, fmt.Errorf("codegraph: an edge leads to %s, which is not there", f.Path)
	}
	if decl == lang.File {
		return slot, 0, nil
	}
	if d := a.drafts[slot]; d != nil {
		return slot, d.local[decl], nil
	}
	l, ok := a.locals[slot]
	if !ok {
		b := a.g.Slots[slot].Block
		l = make(map[uint32]uint32, b.Lives) // no list: the numbers are the block's, and may be any
		for n := range b.Nodes {
			if b.Live(n) {
				l[b.Node(n, block.NodeDecl)] = n
			}
		}
		a.locals[slot] = l
	}
	n, ok := l[uint32(decl)+1]
	if !ok && int(decl) >= len(f.Facts.Decls) {
		return 0, 0, fmt.Errorf("codegraph: an edge leads to declaration %d of %s, which is not there", decl, f.Path)
	}
	return slot, n, nil
}

func (a *assembly) suffixOf(slot, local uint32) string {
	if d := a.drafts[slot]; d != nil {
		return d.suffix[local]
	}
	return string(a.g.Slots[slot].Block.Suffix(local))
}

// block makes the block of a file.
func (a *assembly) block(p *Part) (*block.Block, error) {
	self := a.slotOf[p.Path]
	d := a.drafts[self]
	if len(d.suffix) >= block.MaxLocal {
		return nil, fmt.Errorf("codegraph: %s has %d declarations", p.Path, len(d.suffix))
	}
	edges := make([]rawEdge, 0, len(p.Linkage.Edges)+len(d.suffix))
	for i := range p.Facts.Decls {
		c := &p.Facts.Decls[i]
		if c.Kind != lang.Lambda && c.Kind != lang.Namespace && c.Receiver == "" {
			src := uint32(0)
			if o := p.Owner(c.Parent); o != lang.File {
				src = d.local[o]
			}
			edges = append(edges, rawEdge{srcSlot: self, src: src, dstSlot: self, dst: d.local[i], kind: model.Contain, at: model.SiteOf(c)})
		}
	}
	for _, e := range slices.Concat(p.Linkage.Edges, p.Linkage.Implied) {
		r := rawEdge{srcSlot: self, kind: e.Kind, level: e.Level, at: e.At}
		var err error
		src := p.File
		if e.Src != nil {
			src, r.foreign = e.Src, true
		}
		if r.srcSlot, r.src, err = a.number(src, e.SrcDecl); err != nil {
			return nil, err
		}
		if r.dstSlot, r.dst, err = a.number(e.Dst, e.DstDecl); err != nil {
			return nil, err
		}
		edges = append(edges, r)
	}
	for i := range edges {
		if !edges[i].foreign {
			edges[i].rank = d.rank[edges[i].src]
		}
	}
	return a.encode(p, d, a.group(edges))
}

// group sorts the edges of a file, and joins those of equal ends and kind into one.
func (a *assembly) group(edges []rawEdge) [][]rawEdge {
	source := func(x, y *rawEdge) int {
		if x.foreign != y.foreign {
			if y.foreign {
				return -1
			}
			return 1
		}
		if !x.foreign {
			return cmp.Compare(x.rank, y.rank)
		}
		if x.srcSlot != y.srcSlot {
			return strings.Compare(a.g.Slots[x.srcSlot].Path, a.g.Slots[y.srcSlot].Path)
		}
		if x.src != y.src {
			return strings.Compare(a.suffixOf(x.srcSlot, x.src), a.suffixOf(y.srcSlot, y.src))
		}
		return 0
	}
	slices.SortFunc(edges, func(x, y rawEdge) int {
		return cmp.Or(source(&x, &y), cmp.Compare(x.kind, y.kind), cmp.Compare(x.dstSlot, y.dstSlot), cmp.Compare(x.dst, y.dst), model.CompareSites(x.at, y.at))
	})
	var groups [][]rawEdge
	for i := 0; i < len(edges); {
		j := i + 1
		for j < len(edges) && edges[j].dst == edges[i].dst && edges[j].dstSlot == edges[i].dstSlot && edges[j].kind == edges[i].kind && source(&edges[i], &edges[j]) == 0 {
			edges[i].level = min(edges[i].level, edges[j].level)
			j++
		}
		groups = append(groups, slices.CompactFunc(edges[i:j], func(x, y rawEdge) bool { return x.at == y.at }))
		i = j
	}
	slices.SortFunc(groups, func(g, h []rawEdge) int {
		x, y := &g[0], &h[0]
		if c := cmp.Or(source(x, y), cmp.Compare(x.kind, y.kind), model.CompareSites(x.at, y.at)); c != 0 {
			return c
		}
		if x.dstSlot != y.dstSlot {
			return strings.Compare(a.g.Slots[x.dstSlot].Path, a.g.Slots[y.dstSlot].Path)
		}
		return strings.Compare(a.suffixOf(x.dstSlot, x.dst), a.suffixOf(y.dstSlot, y.dst))
	})
	return groups
}

// encode writes a block.
func (a *assembly) encode(p *Part, d *draft, groups [][]rawEdge) (*block.Block, error) {
	var places, text codec.Writer
	text.Buf = append(text.Buf, p.Facts.Lang...)
	langEnd := len(text.Buf)
	at := func(b []byte, v ...uint32) []byte {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint32(b, x)
		}
		return b
	}
	edges := make([]byte, 0, 4*block.EdgeWords*len(groups))
	var sources []byte
	from, to := make([]uint32, len(d.suffix)), make([]uint32, len(d.suffix))
	for i, g := range groups {
		e := &g[0]
		edges = at(edges, e.dstSlot, e.dst|uint32(e.kind)<<24|uint32(e.level)<<28, uint32(len(places.Buf)), e.src)
		block.AppendSites(&places, len(g), func(j int) (model.Site, bool) { return g[j].at, false })
		if e.foreign {
			sources = at(sources, e.srcSlot, e.src)
			continue
		}
		if to[e.src] == 0 {
			from[e.src] = uint32(i)
		}
		to[e.src] = uint32(i) + 1
	}
	nodes := make([]byte, 0, 4*block.NodeWords*len(d.suffix))
	for n, i := range d.decl {
		id := uint32(len(text.Buf))
		text.Buf = append(text.Buf, d.suffix[n]...)
		sign := uint32(len(text.Buf))
		switch i {
		case gone:
			nodes = at(nodes, id, sign, sign, sign, sign, block.DeadNode, 0, 0, 0, 0, 0, 0, 0, 0)
		case lang.File:
			nodes = at(nodes, id, sign, sign, sign, sign, 1, 0, 1, uint32(max(p.Facts.Lines, 1)), 0, 0, 0, from[n], to[n])
		default:
			c := &p.Facts.Decls[i]
			text.Buf = append(text.Buf, c.Signature...)
			end := uint32(len(text.Buf))
			suffix := d.suffix[n]
			if k := strings.LastIndex(suffix, "#"); k > 0 && !strings.HasSuffix(suffix, c.Name) {
				suffix = suffix[:k]
			}
			nameEnd := id + uint32(len(suffix))
			kind := uint32(model.Function)
			if c.Kind == lang.Class {
				kind = uint32(model.Class)
			}
			if c.Flags&lang.Test != 0 {
				kind |= block.NodeTest
			}
			nodes = at(nodes, id, sign, end, nameEnd-uint32(len(c.Name)), nameEnd, kind, uint32(i+1), uint32(c.Span.Line), uint32(c.Span.EndLine),
				uint32(c.Span.Start), uint32(c.Span.End), uint32(c.Body), from[n], to[n])
		}
	}
	list := slices.Clone(p.Linkage.Loose)
	slices.SortStableFunc(list, func(x, y link.Unresolved) int {
		return cmp.Or(strings.Compare(x.Name, y.Name), model.CompareSites(x.At, y.At))
	})
	var names []byte
	open, outside, count := 0, 0, uint32(0)
	for i := 0; i < len(list); {
		j := i
		for ; j < len(list) && list[j].Name == list[i].Name; j++ {
			if list[j].Outside {
				outside++
			} else {
				open++
			}
		}
		names = at(names, uint32(len(text.Buf)), uint32(len(text.Buf)+len(list[i].Name)), uint32(len(places.Buf)))
		text.Buf = append(text.Buf, list[i].Name...)
		block.AppendSites(&places, j-i, func(k int) (model.Site, bool) { return list[i+k].At, list[i+k].Outside })
		count++
		i = j
	}
	flags := uint32(0)
	if sourcetext.IsTestPath(p.Path) {
		flags |= block.FlagTest
	}
	if sourcetext.IsVendoredPath(p.Path) {
		flags |= block.FlagVendored
	}
	if p.Generated {
		flags |= block.FlagGenerated
	}
	raw := make([]byte, 0, block.HeaderSize+len(nodes)+len(edges)+len(sources)+len(names)+len(places.Buf)+len(text.Buf))
	raw = at(raw, uint32(len(d.suffix)), uint32(len(groups)), uint32(len(sources)/8), count, uint32(len(places.Buf)), uint32(len(text.Buf)), flags,
		uint32(open), uint32(outside), uint32(langEnd))
	raw = append(raw, p.Hash[:]...)
	for _, b := range [][]byte{nodes, edges, sources, names, places.Buf, text.Buf} {
		raw = append(raw, b...)
	}
	old := a.g.Slots[d.slot].Block
	if old != nil && bytes.Equal(old.Raw, raw) {
		return old, nil
	}
	b, err := block.Parse(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Path, err)
	}
	if old != nil && old.Hash() == p.Hash && sameNodes(old, b) {
		b.Words = old.Words
	} else {
		b.Words = block.NewWords(p.Path, b, p.Words)
	}
	return b, nil
}

// sameNodes tells whether two blocks have the same entities under the same numbers.
func sameNodes(a, b *block.Block) bool {
	if a.Nodes != b.Nodes {
		return false
	}
	for n := range a.Nodes {
		if a.Node(n, block.NodeDecl) != b.Node(n, block.NodeDecl) || a.Live(n) != b.Live(n) || !bytes.Equal(a.Suffix(n), b.Suffix(n)) {
			return false
		}
	}
	return true
}

// directoryBlock makes the block of a directory: one node, and no edges, since paths say what it contains.
func directoryBlock(p string) (*block.Block, error) {
	raw := make([]byte, block.HeaderSize+4*block.NodeWords)
	binary.LittleEndian.PutUint32(raw[4*block.HeaderNodes:], 1)
	flags := uint32(block.FlagDir)
	if sourcetext.IsTestPath(path.Join(p, "_")) { // as all that it holds
		flags |= block.FlagTest
	}
	if sourcetext.IsVendoredPath(path.Join(p, "_")) {
		flags |= block.FlagVendored
	}
	binary.LittleEndian.PutUint32(raw[4*block.HeaderFlags:], flags)
	b, err := block.Parse(raw)
	if err != nil {
		return nil, fmt.Errorf("codegraph: directory %s: %w", p, err)
	}
	b.Words = block.NewWords(p, b, nil)
	return b, nil
}

// Incoming rebuilds the lists of incoming edges of the blocks of g for which anything changed since the graph before.
func Incoming(g, prev *snapshot.Graph) error {
	changed := map[uint32]bool{} // slots whose edges are others than before
	in, outer := map[uint32][]block.IncomingEdge{}, map[uint32][]block.IncomingEdge{}
	touch := func(b *block.Block) {
		if b == nil {
			return
		}
		for e := range b.Edges {
			slot, _, _, _ := b.Edge(e)
			if _, ok := in[slot]; !ok {
				in[slot] = nil
			}
			if src, _, ok := b.Source(e); ok {
				if _, ok := outer[src]; !ok {
					outer[src] = nil
				}
			}
		}
	}
	for i := range g.Slots {
		now := g.Slots[i].Block
		var old *block.Block
		if i < len(prev.Slots) {
			old = prev.Slots[i].Block
		}
		if now == old || now != nil && old != nil && bytes.Equal(now.Raw[now.EdgesAt:now.LooseAt], old.Raw[old.EdgesAt:old.LooseAt]) {
			continue
		}
		changed[uint32(i)] = true
		touch(old)
		touch(now)
	}
	for s := range changed {
		b := g.Slots[s].Block
		if b == nil {
			continue
		}
		for e := range b.Edges {
			slot, local, _, _ := b.Edge(e)
			in[slot] = append(in[slot], block.IncomingEdge{Local: local, Slot: s, Edge: e})
			if src, n, ok := b.Source(e); ok {
				outer[src] = append(outer[src], block.IncomingEdge{Local: n, Slot: s, Edge: e})
			}
		}
	}
	for s := range outer {
		if _, ok := in[s]; !ok {
			in[s] = nil
		}
	}
	for s, list := range in {
		if int(s) >= len(g.Slots) || g.Slots[s].Block == nil {
			if len(list) > 0 || len(outer[s]) > 0 {
				return fmt.Errorf("codegraph: an edge of %s leads nowhere", g.Slots[list[0].Slot].Path)
			}
			continue
		}
		more := outer[s]
		if old := g.Slots[s].In; old != nil {
			for n := range old.Nodes {
				from, to := old.Reached(n)
				for i := from; i < to; i++ {
					if slot, e := old.Entry(i); !changed[slot] {
						list = append(list, block.IncomingEdge{Local: n, Slot: slot, Edge: e})
					}
				}
			}
			for e := range old.Outer {
				if !changed[e.Slot] {
					more = append(more, e)
				}
			}
		}
		g.Slots[s].In = incoming(g, g.Slots[s].Block.Nodes, list, more)
	}
	return nil
}

func incoming(g *snapshot.Graph, nodes uint32, list, outer []block.IncomingEdge) *block.Incoming {
	if len(list) == 0 && len(outer) == 0 {
		return nil
	}
	order := func(x, y block.IncomingEdge) int {
		if x.Local != y.Local {
			return cmp.Compare(x.Local, y.Local)
		}
		if x.Slot != y.Slot {
			return strings.Compare(g.Slots[x.Slot].Path, g.Slots[y.Slot].Path)
		}
		return cmp.Compare(x.Edge, y.Edge)
	}
	slices.SortFunc(list, order)
	slices.SortFunc(outer, order)
	raw := make([]byte, 0, 4*(int(nodes)+2+2*len(list)+3*len(outer)))
	raw = binary.LittleEndian.AppendUint32(raw, nodes)
	i := 0
	for n := range nodes + 1 {
		for i < len(list) && list[i].Local < n {
			i++
		}
		raw = binary.LittleEndian.AppendUint32(raw, uint32(i))
	}
	for _, e := range list {
		raw = binary.LittleEndian.AppendUint32(raw, e.Slot)
		raw = binary.LittleEndian.AppendUint32(raw, e.Edge)
	}
	for _, e := range outer {
		raw = binary.LittleEndian.AppendUint32(raw, e.Local)
		raw = binary.LittleEndian.AppendUint32(raw, e.Slot)
		raw = binary.LittleEndian.AppendUint32(raw, e.Edge)
	}
	return &block.Incoming{Raw: raw, Nodes: nodes}
}

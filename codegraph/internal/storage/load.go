package storage

import (
	"fmt"
	"io/fs"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/findspot/findspot/codegraph/internal/assemble"
	"github.com/findspot/findspot/codegraph/internal/block"
	"github.com/findspot/findspot/codegraph/internal/codec"
	"github.com/findspot/findspot/codegraph/internal/factpool"
	"github.com/findspot/findspot/codegraph/internal/scan"
	"github.com/findspot/findspot/codegraph/internal/segment"
	"github.com/findspot/findspot/codegraph/internal/snapshot"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/walk"
)

// A Saved is what Load gives.
type Saved struct {
	Graph     *snapshot.Graph
	State     *scan.State
	Recovered string // what was not whole and was left out
}

// Load reads a saved index. It calls begin, unless nil, as soon as the folders are known; the rest may still turn out to be damaged.
func (h *Storage) Load(fsys fs.FS, begin func(*walk.Tree)) (*Saved, error) {
	seg, err := segment.Open(h.Dir)
	if err != nil {
		return nil, err
	}
	out, err := h.loadFrom(seg, fsys, begin)
	if err != nil {
		seg.File.Close()
		return nil, err
	}
	return out, nil
}

func (h *Storage) loadFrom(seg *segment.Segment, fsys fs.FS, begin func(*walk.Tree)) (*Saved, error) {
	raw, err := seg.Read(segment.State)
	if err != nil {
		return nil, err
	}
	var blocks []byte
	var work errgroup.Group
	work.Go(func() (err error) {
		blocks, err = seg.Read(segment.Blocks)
		return err
	})
	work.Go(func() error {
		for _, sec := range [...]int{segment.Bodies, segment.Names, segment.Parts, segment.Facts} {
			if err := seg.Verify(sec); err != nil {
				return err
			}
		}
		return nil
	})
	l := &loader{r: scan.Reader{Reader: codec.Reader{Buf: raw, Whole: string(raw)}}, st: &scan.State{Mark: new(byte)}}
	var records [][]byte
	var whole, torn int64
	parsed := l.state()
	if parsed == nil {
		if records, whole, torn, err = segment.ReadLog(h.Dir, seg.ID); err == nil && begin != nil {
			begin(lastTree(l.st, records))
		}
	}
	if e := work.Wait(); e != nil {
		return nil, e
	}
	if parsed != nil {
		return nil, parsed
	}
	if err != nil {
		return nil, err
	}
	seg.Checked = true
	g, err := l.graph(fsys, blocks)
	if err != nil {
		return nil, err
	}
	g.Lexicon = &block.Lexicon{First: g.NodeAt, Blocks: make([]*block.Words, len(g.Slots)), Load: sync.OnceValues(seg.Words)}
	for i := range g.Slots {
		if b := g.Slots[i].Block; b != nil {
			g.Lexicon.Blocks[i] = b.Words
		}
	}
	newer := map[factpool.Key][]byte{}
	if len(records) > 0 {
		if g, err = replay(g, l.st, records, newer); err != nil {
			return nil, err
		}
	}
	h.seg, h.newer, h.logged, h.state = seg, newer, whole, l.st
	h.facts = sync.OnceValue(l.facts)
	out := &Saved{Graph: g, State: l.st}
	if torn > 0 {
		out.Recovered = fmt.Sprintf("%s: the last %d bytes were not written whole; what they held is read again", segment.LogName, torn)
	}
	return out, nil
}

// lastTree gives the folders as the last record of a log says; nil when a record is damaged.
func lastTree(st *scan.State, records [][]byte) *walk.Tree {
	last := *st
	for _, b := range records {
		r := scan.Reader{Reader: codec.Reader{Buf: b}}
		if r.General(&last); r.Bad {
			return nil
		}
	}
	return last.Tree
}

// replay applies the records of a log to the graph and state of the segment.
func replay(g *snapshot.Graph, st *scan.State, records [][]byte, newer map[factpool.Key][]byte) (*snapshot.Graph, error) {
	next := &snapshot.Graph{FS: g.FS, Slots: slices.Clone(g.Slots), Lexicon: g.Lexicon}
	for i, r := range records {
		if err := apply(next, st, r, newer); err != nil {
			return nil, fmt.Errorf("%s: record %d: %w", segment.LogName, i, err)
		}
	}
	if err := assemble.Incoming(next, g); err != nil {
		return nil, fmt.Errorf("%s: %w: %v", segment.LogName, errs.Format, err)
	}
	next.Number(g)
	if err := next.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", segment.LogName, err)
	}
	next.Skipped = st.Skips
	return next, nil
}

// A loader reads the state of a segment, and then its blocks.
type loader struct {
	r     scan.Reader
	st    *scan.State
	n     int         // slots
	slots []slotState // those in use, by number
	order []uint32
}

type slotState struct {
	number    uint32
	path      string
	block, in uint64 // their lengths
	file      *scan.File
	at        segment.Place // of the file's facts
}

const (
	leastSlot = 5      // bytes of a slot in use
	leastFile = 32 + 9 // and of a file's state

	// Free slots take a byte each, and memory. With more than this, and so many for each one in use, the index is better built anew.
	maxFree, freeShare = 1 << 20, 16
)

// state reads the section of the state.
func (l *loader) state() error {
	r := &l.r
	r.General(l.st)
	l.n = r.Count(1)
	files := make([]scan.File, 0, min(l.n, len(r.Buf)/leastFile)) // enough: pointers to them are kept
	l.slots = make([]slotState, 0, min(l.n, len(r.Buf)/leastSlot))
	l.st.Files = make(map[string]*scan.File, cap(files))
	for i := range l.n {
		p := r.Text()
		if p == "" && !r.Bad {
			continue
		}
		s := slotState{number: uint32(i), path: p, block: r.Uint(), in: r.Uint()}
		if isFile := r.Bool(); isFile && !r.Bad {
			files = append(files, scan.File{})
			s.file = &files[len(files)-1]
			r.File(s.file)
			s.at = segment.Place{Offset: uint32(r.Uint()), Len: uint32(r.Uint())}
			l.st.Files[s.path] = s.file
		}
		if r.Bad || !snapshot.ValidPath(s.path) {
			return fmt.Errorf("%w: slot %d", errs.Format, i)
		}
		l.slots = append(l.slots, s)
	}
	if free := l.n - len(l.slots); free > maxFree+freeShare*len(l.slots) {
		return fmt.Errorf("%w: %d free slots", errs.Format, free)
	}
	places := make([]string, l.n) // paths by slot
	for i := range l.slots {
		places[l.slots[i].number] = l.slots[i].path
	}
	l.order = make([]uint32, len(l.slots))
	last := ""
	for i := range l.order {
		s := r.Uint()
		if s >= uint64(l.n) || places[s] <= last {
			return fmt.Errorf("%w: order of the slots", errs.Format)
		}
		l.order[i], last = uint32(s), places[s]
	}
	if r.Bad || len(r.Buf) > 0 {
		return fmt.Errorf("%w: state ends early or late", errs.Format)
	}
	return nil
}

// facts tells where the facts of the files stand.
func (l *loader) facts() map[factpool.Key]segment.Place {
	out := make(map[factpool.Key]segment.Place, len(l.slots))
	for i := range l.slots {
		if s := &l.slots[i]; s.file != nil {
			out[s.file.Key] = s.at
		}
	}
	return out
}

// graph makes the graph of the blocks.
func (l *loader) graph(fsys fs.FS, raw []byte) (*snapshot.Graph, error) {
	n := len(l.slots)
	if n > len(raw)/block.HeaderSize {
		return nil, fmt.Errorf("%w: %d slots", errs.Format, n)
	}
	g := &snapshot.Graph{FS: fsys, Slots: make([]snapshot.Slot, l.n), Skipped: l.st.Skips}
	blocks, words, lists := make([]block.Block, n), make([]block.Words, n), make([]block.Incoming, n)
	cut := func(n uint64) ([]byte, bool) {
		if n > uint64(len(raw)) {
			return nil, false
		}
		b := raw[:n:n]
		raw = raw[n:]
		return b, true
	}
	for i := range l.slots {
		s := &l.slots[i]
		to := &g.Slots[s.number]
		b, ok := cut(s.block)
		in, ok2 := cut(s.in)
		if !ok || !ok2 {
			return nil, fmt.Errorf("%w: slot %d", errs.Format, s.number)
		}
		if err := blocks[i].Parse(b); err != nil {
			return nil, err
		}
		if blocks[i].Flag(block.FlagDir) != (s.file == nil) {
			return nil, fmt.Errorf("%w: kind of %s", errs.Format, s.path)
		}
		words[i].Path, words[i].B = s.path, &blocks[i]
		blocks[i].Words = &words[i]
		to.Path, to.Block = s.path, &blocks[i]
		if len(in) > 0 {
			if err := lists[i].Parse(in); err != nil {
				return nil, err
			}
			to.In = &lists[i]
		}
	}
	if len(raw) > 0 {
		return nil, fmt.Errorf("%w: blocks end late", errs.Format)
	}
	g.Order = l.order
	g.Count()
	if err := g.Check(); err != nil {
		return nil, err
	}
	return g, nil
}

// apply applies one record of the log. It adds the facts in it to newer.
func apply(g *snapshot.Graph, st *scan.State, record []byte, newer map[factpool.Key][]byte) error {
	r := scan.Reader{Reader: codec.Reader{Buf: record}}
	r.General(st)
	for range r.Count(1) {
		i := r.Uint()
		if i >= uint64(len(g.Slots)) {
			return fmt.Errorf("%w: slot %d", errs.Format, i)
		}
		g.Slots[i] = snapshot.Slot{}
	}
	for range r.Count(4) {
		i, p, raw := r.Uint(), r.Text(), r.Bytes()
		if r.Bad || i > uint64(len(g.Slots)) || !snapshot.ValidPath(p) {
			return fmt.Errorf("%w: slot %d", errs.Format, i)
		}
		if i == uint64(len(g.Slots)) {
			g.Slots = append(g.Slots, snapshot.Slot{})
		}
		b, err := block.Parse(raw)
		if err != nil {
			return err
		}
		s := &g.Slots[i]
		if r.Bool() {
			b.Words = &block.Words{Path: p, B: b}
			for k := range b.Words.Raw {
				b.Words.Raw[k] = r.Bytes()
			}
		} else if s.Block == nil {
			return fmt.Errorf("%w: words of slot %d", errs.Format, i)
		} else {
			b.Words = s.Block.Words
		}
		s.Path, s.Block = p, b
	}
	for range r.Count(1) {
		delete(st.Files, r.Text())
	}
	for range r.Count(42) {
		p, f := r.Text(), &scan.File{}
		r.File(f)
		packed := r.Bytes()
		if len(packed) > 0 {
			newer[f.Key] = packed
		}
		st.Files[p] = f
	}
	if r.Bad || len(r.Buf) > 0 {
		return fmt.Errorf("%w: it ends early or late", errs.Format)
	}
	for p := range st.Files {
		if !snapshot.ValidPath(p) {
			return fmt.Errorf("%w: path %q", errs.Format, p)
		}
	}
	return nil
}

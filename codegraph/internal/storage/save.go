package storage

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/findspot/findspot/codegraph/internal/block"
	"github.com/findspot/findspot/codegraph/internal/codec"
	"github.com/findspot/findspot/codegraph/internal/factpool"
	"github.com/findspot/findspot/codegraph/internal/scan"
	"github.com/findspot/findspot/codegraph/internal/segment"
	"github.com/findspot/findspot/codegraph/internal/snapshot"
	"github.com/findspot/findspot/internal/disk"
	"github.com/findspot/findspot/internal/errs"
)

// A Storage is a folder with a saved index: the segment and the log, and what they hold besides the graph.
type Storage struct {
	Dir    *disk.Folder
	MinLog int64 // bytes that a log may have before it is folded into the segment; 0 means 4 MB

	seg    *segment.Segment                      // nil until the first is written
	log    *segment.Log                          // nil for readers
	facts  func() map[factpool.Key]segment.Place // where facts stand in the segment; safe for concurrent use
	newer  map[factpool.Key][]byte               // packed facts that stand in the log
	logged int64                                 // bytes of the log that were read or written
	state  *scan.State                           // as it was saved, which may be older than that of the index
}

// Current tells whether nothing was saved since the load.
func (h *Storage) Current() bool {
	seg, err := segment.Open(h.Dir)
	if err != nil {
		return false
	}
	if err := seg.File.Close(); err != nil || seg.ID != h.seg.ID {
		return false
	}
	info, err := h.Dir.Lstat(segment.LogName)
	if errors.Is(err, fs.ErrNotExist) {
		return h.logged == 0
	}
	return err == nil && h.logged > 0 && info.Size() == h.logged
}

// Replaced tells whether the segment was replaced since the load; one that cannot be opened does not count.
func (h *Storage) Replaced() (bool, error) {
	seg, err := segment.Open(h.Dir)
	if err != nil {
		return false, nil
	}
	return seg.ID != h.seg.ID, seg.File.Close()
}

// Equal tells whether two loads read the same.
func (h *Storage) Equal(o *Storage) bool { return h.seg.ID == o.seg.ID && h.logged == o.logged }

// OpenLog prepares a loaded storage for Save.
func (h *Storage) OpenLog() (err error) {
	if h.seg != nil {
		h.log, err = segment.OpenLog(h.Dir, h.seg.ID, h.logged)
	}
	return err
}

// Close closes the log.
func (h *Storage) Close() error {
	if h.log == nil {
		return nil
	}
	return h.log.File.Close()
}

// The log is folded into a new segment when it is over MinLog bytes and a share of the segment.
const (
	minLog   = 4 << 20
	logShare = 3
)

// Save writes a graph and its state as far as they are not on disk yet. prev is the graph that was saved before, nil for none; changed says
// that g is another.
func (h *Storage) Save(prev, g *snapshot.Graph, st *scan.State, changed bool) error {
	if !changed && h.state != nil && sameStamps(h.state, st) {
		return nil
	}
	if h.seg == nil || h.log == nil || h.state == nil || prev == nil {
		return h.write(g, st)
	}
	fresh := map[factpool.Key][]byte{}
	b, err := h.encodeDelta(prev, g, st, fresh)
	if err != nil {
		return err
	}
	base := int64(0)
	for _, n := range h.seg.Sizes {
		base += n
	}
	if size := h.log.Size + int64(len(b)); size > cmp.Or(h.MinLog, minLog) && size > base/logShare || len(b) > 1<<30 {
		return h.write(g, st)
	}
	if err := h.log.Append(b); err != nil {
		return fmt.Errorf("codegraph: save: %w", err)
	}
	maps.Copy(h.newer, fresh)
	h.state = st
	return nil
}

// sameStamps tells whether the next pass would cost no less if the second of two states were saved, the first being so.
func sameStamps(a, b *scan.State) bool {
	files := b.Files
	if a.Mark == b.Mark {
		files = nil
	}
	for p, f := range files {
		o := a.Files[p]
		if o == f {
			continue
		}
		if o == nil || o.Stamp() != f.Stamp() || !o.Stamp().Settled(a.Began) && f.Stamp().Settled(b.Began) {
			return false
		}
	}
	return b.Tree == nil || a.Tree == b.Tree || a.Tree != nil && b.Tree.Settled <= worthSaving
}

// worthSaving is how many folders must be listed at a pass, and need not be at the next, to be saved for their own sake.
const worthSaving = 50

// Facts gives facts of a source of a size in their byte form; the error wraps errs.NotFound when there are none.
func (h *Storage) Facts(k factpool.Key, size int64) ([]byte, error) {
	b, err := h.packed(k)
	if err != nil {
		return nil, err
	}
	return codec.Unpack(b, size)
}

func (h *Storage) packed(k factpool.Key) ([]byte, error) {
	if b, ok := h.newer[k]; ok {
		return b, nil
	}
	if h.seg == nil {
		return nil, fmt.Errorf("facts: %w", errs.NotFound)
	}
	p, ok := h.facts()[k]
	if !ok {
		return nil, fmt.Errorf("facts: %w", errs.NotFound)
	}
	return h.seg.Packed(p)
}

// encodeState writes the section of the state.
func encodeState(g *snapshot.Graph, st *scan.State, facts map[factpool.Key]segment.Place) []byte {
	var w scan.Writer
	w.General(st, nil)
	w.Uint(uint64(len(g.Slots)))
	for _, s := range g.Slots {
		w.Text(s.Path)
		if s.Block == nil {
			continue
		}
		w.Uint(uint64(len(s.Block.Raw)))
		if s.In == nil {
			w.Uint(0)
		} else {
			w.Uint(uint64(len(s.In.Raw)))
		}
		w.Bool(!s.Block.Flag(block.FlagDir))
		if !s.Block.Flag(block.FlagDir) {
			f := st.Files[s.Path]
			w.File(f)
			p := facts[f.Key]
			w.Uint(uint64(p.Offset))
			w.Uint(uint64(p.Len))
		}
	}
	for _, i := range g.Order {
		w.Uint(uint64(i))
	}
	return w.Buf
}

// encodeDelta writes the record that leads from the saved state to this one. It adds the facts in the record to fresh.
func (h *Storage) encodeDelta(prev, g *snapshot.Graph, st *scan.State, fresh map[factpool.Key][]byte) ([]byte, error) {
	old := h.state
	var w scan.Writer
	w.General(st, old)
	var freed, changed []uint32
	for i := range g.Slots {
		var before snapshot.Slot
		if i < len(prev.Slots) {
			before = prev.Slots[i]
		}
		switch now := g.Slots[i]; {
		case now.Block == nil && before.Block != nil:
			freed = append(freed, uint32(i))
		case now.Block != before.Block:
			changed = append(changed, uint32(i))
		}
	}
	w.Uint(uint64(len(freed)))
	for _, i := range freed {
		w.Uint(uint64(i))
	}
	w.Uint(uint64(len(changed)))
	for _, i := range changed {
		s := &g.Slots[i]
		w.Uint(uint64(i))
		w.Text(s.Path)
		w.Bytes(s.Block.Raw)
		if int(i) < len(prev.Slots) && prev.Slots[i].Block != nil && prev.Slots[i].Block.Words == s.Block.Words {
			w.Bool(false)
			continue
		}
		w.Bool(true)
		if _, err := s.Block.Words.Index(); err != nil {
			return nil, err
		}
		for _, b := range s.Block.Words.Raw {
			w.Bytes(b)
		}
	}
	var removed []string
	for p := range old.Files {
		if st.Files[p] == nil {
			removed = append(removed, p)
		}
	}
	slices.Sort(removed)
	w.Uint(uint64(len(removed)))
	for _, p := range removed {
		w.Text(p)
	}
	var touched []string
	for p, f := range st.Files {
		if o := old.Files[p]; o == nil || o != f && (o.Size != f.Size || o.Mtime != f.Mtime || o.Ctime != f.Ctime || o.Key != f.Key) {
			touched = append(touched, p)
		}
	}
	slices.Sort(touched)
	w.Uint(uint64(len(touched)))
	for _, p := range touched {
		f := st.Files[p]
		w.Text(p)
		w.File(f)
		if _, err := h.packed(f.Key); err == nil || fresh[f.Key] != nil {
			w.Bytes(nil)
			continue
		}
		if f.Record == nil {
			return nil, fmt.Errorf("codegraph: %w: no facts of %s", errs.Format, p)
		}
		b := f.Record.Pack()
		fresh[f.Key] = b
		w.Bytes(b)
	}
	return w.Buf, nil
}

// write saves a whole index as a new segment with an empty log, from which the graph reads its words from now on.
func (h *Storage) write(g *snapshot.Graph, st *scan.State) error {
	var parts [segment.Sections][]byte
	facts := map[factpool.Key]segment.Place{}
	for _, s := range g.Slots {
		if s.Block == nil {
			continue
		}
		parts[segment.Blocks] = append(parts[segment.Blocks], s.Block.Raw...)
		if s.In != nil {
			parts[segment.Blocks] = append(parts[segment.Blocks], s.In.Raw...)
		}
		if s.Block.Flag(block.FlagDir) {
			continue
		}
		f := st.Files[s.Path]
		if f == nil {
			return fmt.Errorf("codegraph: save: no state of %s", s.Path)
		}
		if _, ok := facts[f.Key]; ok {
			continue
		}
		b, err := h.packed(f.Key)
		if err != nil && f.Record != nil {
			b, err = f.Record.Pack(), nil
		}
		if err != nil {
			return fmt.Errorf("codegraph: save: %w: %s: %w", errs.Format, s.Path, err)
		}
		facts[f.Key] = segment.Place{Offset: uint32(len(parts[segment.Facts])), Len: uint32(len(b))}
		parts[segment.Facts] = append(parts[segment.Facts], b...)
	}
	lex := g.NewLexicon()
	if g.Lexicon == nil {
		parts[segment.Bodies], parts[segment.Names], parts[segment.Parts] = lex.Gather()
	} else {
		var err error
		if parts[segment.Bodies], parts[segment.Names], parts[segment.Parts], err = g.Words().Gather(); err != nil {
			return fmt.Errorf("codegraph: save: %w", err)
		}
	}
	parts[segment.State] = encodeState(g, st, facts)
	id := rand.Uint64()
	if h.log != nil {
		if err := h.log.File.Close(); err != nil {
			return fmt.Errorf("codegraph: save: %w", err)
		}
		h.log = nil
	}
	if err := segment.Write(h.Dir, id, parts); err != nil {
		return fmt.Errorf("codegraph: save: %w", err)
	}
	log, err := segment.OpenLog(h.Dir, id, 0)
	if err != nil {
		return fmt.Errorf("codegraph: save: %w", err)
	}
	seg, err := segment.Open(h.Dir)
	if err != nil {
		return fmt.Errorf("codegraph: save: %w", err)
	}
	h.seg, h.log, h.newer, h.state = seg, log, map[factpool.Key][]byte{}, st
	h.facts = func() map[factpool.Key]segment.Place { return facts }
	lex.Load = sync.OnceValues(seg.Words)
	g.Lexicon = lex
	for i := range g.Slots {
		if b := g.Slots[i].Block; b != nil && b.Words.List != nil {
			// The lexicon has the words of this block now.
			b.Words.List = nil
		}
	}
	return nil
}

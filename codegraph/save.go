package codegraph

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/findspot/findspot/codegraph/internal/block"
	"github.com/findspot/findspot/codegraph/internal/codec"
	"github.com/findspot/findspot/codegraph/internal/factpool"
	"github.com/findspot/findspot/codegraph/internal/postings"
	"github.com/findspot/findspot/codegraph/internal/scan"
	"github.com/findspot/findspot/codegraph/internal/segment"
	"github.com/findspot/findspot/internal/disk"
)

// A storage is a folder with a saved index: the segment and the log, and what they hold besides the graph.
type storage struct {
	dir    *disk.Folder
	seg    *segment.Segment                      // nil until the first is written
	log    *segment.Log                          // nil for readers
	facts  func() map[factpool.Key]segment.Place // where facts stand in the segment; safe for concurrent use
	newer  map[factpool.Key][]byte               // packed facts that stand in the log
	logged int64                                 // bytes of the log that were read or written
	state  *scan.State                           // as it was saved, which may be older than that of the index
}

// current tells whether what was loaded is still all that is saved.
func (h *storage) current() bool {
	seg, err := segment.Open(h.dir)
	if err != nil {
		return false
	}
	id := seg.ID
	if err := seg.File.Close(); err != nil || id != h.seg.ID {
		return false
	}
	info, err := h.dir.Lstat(segment.LogName)
	if errors.Is(err, fs.ErrNotExist) {
		return h.logged == 0
	}
	return err == nil && h.logged > 0 && info.Size() == h.logged
}

// saved gives facts of a source of a size in their byte form; the error wraps ErrNotFound when there are none.
func (h *storage) saved(k factpool.Key, size int64) ([]byte, error) {
	b, err := h.packed(k)
	if err != nil {
		return nil, err
	}
	return codec.Unpack(b, size)
}

func (h *storage) packed(k factpool.Key) ([]byte, error) {
	if b, ok := h.newer[k]; ok {
		return b, nil
	}
	if h.seg == nil {
		return nil, fmt.Errorf("facts: %w", ErrNotFound)
	}
	p, ok := h.facts()[k]
	if !ok {
		return nil, fmt.Errorf("facts: %w", ErrNotFound)
	}
	return h.seg.Packed(p)
}

// encodeState writes where everything of a graph and its state lies.
func encodeState(g *Graph, st *scan.State, facts map[factpool.Key]segment.Place) []byte {
	var w scan.Writer
	w.General(st, nil)
	w.Uint(uint64(len(g.slots)))
	for _, s := range g.slots {
		w.Text(s.path)
		if s.b == nil {
			continue
		}
		w.Uint(uint64(len(s.b.Raw)))
		if s.in == nil {
			w.Uint(0)
		} else {
			w.Uint(uint64(len(s.in.Raw)))
		}
		w.Bool(!s.b.Flag(block.FlagDir))
		if !s.b.Flag(block.FlagDir) {
			f := st.Files[s.path]
			w.File(f)
			p := facts[f.Key]
			w.Uint(uint64(p.Offset))
			w.Uint(uint64(p.Len))
		}
	}
	for _, i := range g.order {
		w.Uint(uint64(i))
	}
	return w.Buf
}

// encodeDelta writes what makes a state of an index from the one that was saved. The facts that the log is to keep are added to fresh.
func (h *storage) encodeDelta(prev, g *Graph, st *scan.State, fresh map[factpool.Key][]byte) ([]byte, error) {
	old := h.state
	var w scan.Writer
	w.General(st, old)
	var freed, changed []uint32
	for i := range g.slots {
		var before slot
		if i < len(prev.slots) {
			before = prev.slots[i]
		}
		switch now := g.slots[i]; {
		case now.b == nil && before.b != nil:
			freed = append(freed, uint32(i))
		case now.b != before.b:
			changed = append(changed, uint32(i))
		}
	}
	w.Uint(uint64(len(freed)))
	for _, i := range freed {
		w.Uint(uint64(i))
	}
	w.Uint(uint64(len(changed)))
	for _, i := range changed {
		s := &g.slots[i]
		w.Uint(uint64(i))
		w.Text(s.path)
		w.Bytes(s.b.Raw)
		if int(i) < len(prev.slots) && prev.slots[i].b != nil && prev.slots[i].b.Words == s.b.Words {
			w.Bool(false)
			continue
		}
		w.Bool(true)
		if _, err := s.b.Words.Index(); err != nil {
			return nil, err
		}
		for _, b := range s.b.Words.Raw {
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
			return nil, fmt.Errorf("codegraph: %w: no facts of %s", ErrFormat, p)
		}
		b := f.Record.Pack()
		fresh[f.Key] = b
		w.Bytes(b)
	}
	return w.Buf, nil
}

// write saves a whole index as a new segment with an empty log, and gives the graph its words from there.
func (h *storage) write(g *Graph, st *scan.State) error {
	var parts [segment.Sections][]byte
	facts := map[factpool.Key]segment.Place{}
	for _, s := range g.slots {
		if s.b == nil {
			continue
		}
		parts[segment.Blocks] = append(parts[segment.Blocks], s.b.Raw...)
		if s.in != nil {
			parts[segment.Blocks] = append(parts[segment.Blocks], s.in.Raw...)
		}
		if s.b.Flag(block.FlagDir) {
			continue
		}
		f := st.Files[s.path]
		if f == nil {
			return fmt.Errorf("codegraph: save: no state of %s", s.path)
		}
		if _, ok := facts[f.Key]; ok {
			continue
		}
		b, err := h.packed(f.Key)
		if err != nil && f.Record != nil {
			b, err = f.Record.Pack(), nil
		}
		if err != nil {
			return fmt.Errorf("codegraph: save: %w: %s: %w", ErrFormat, s.path, err)
		}
		facts[f.Key] = segment.Place{Offset: uint32(len(parts[segment.Facts])), Len: uint32(len(b))}
		parts[segment.Facts] = append(parts[segment.Facts], b...)
	}
	lex := g.lexicon()
	if g.lex == nil {
		parts[segment.Bodies], parts[segment.Names], parts[segment.Parts] = lex.Gather()
	} else {
		s := g.wordsearch()
		if s.err != nil {
			return s.err
		}
		bodies, err := s.base.Bodies.Whole()
		if err != nil {
			return fmt.Errorf("codegraph: save: %w", err)
		}
		parts[segment.Bodies], parts[segment.Names], parts[segment.Parts] = s.merge(bodies, bodiesOf), s.merge(s.base.Names, namesOf), s.merge(s.base.Parts, partsOf)
	}
	parts[segment.State] = encodeState(g, st, facts)
	id := rand.Uint64()
	if h.log != nil {
		if err := h.log.File.Close(); err != nil {
			return fmt.Errorf("codegraph: save: %w", err)
		}
		h.log = nil
	}
	if err := segment.Write(h.dir, id, parts); err != nil {
		return fmt.Errorf("codegraph: save: %w", err)
	}
	log, err := segment.OpenLog(h.dir, id, 0)
	if err != nil {
		return fmt.Errorf("codegraph: save: %w", err)
	}
	seg, err := segment.Open(h.dir)
	if err != nil {
		return fmt.Errorf("codegraph: save: %w", err)
	}
	h.seg, h.log, h.newer, h.state = seg, log, map[factpool.Key][]byte{}, st
	h.facts = func() map[factpool.Key]segment.Place { return facts }
	lex.Load = sync.OnceValues(seg.Words)
	g.lex = lex
	for i := range g.slots {
		if b := g.slots[i].b; b != nil && b.Words.List != nil {
			// Nobody reads the words of this block yet, or ever again: the lexicon has them.
			b.Words.List = nil
		}
	}
	return nil
}

// merge writes one kind of words of a graph anew, by its own numbers; base is that of the lexicon.
func (s *wordSearch) merge(base *postings.Index, which func(*block.WordIndex) *postings.Index) []byte {
	w := postings.NewBuilder()
	for i := range base.Terms {
		id, named := uint32(0), false
		slot := uint32(0)
		for doc, count := range base.List(i) {
			if doc >= s.first[slot+1] {
				slot = lastAtMost(s.first, doc)
			}
			if !s.stay[slot] {
				continue
			}
			if !named {
				id, named = w.ID(string(base.Term(i))), true
			}
			w.Add(id, s.g.nodeAt[slot]+doc-s.first[slot], count)
		}
	}
	for _, l := range s.later {
		v := which(l.WordIndex)
		for i := range v.Terms {
			id := w.ID(string(v.Term(i)))
			for doc, count := range v.List(i) {
				w.Add(id, s.g.nodeAt[l.slot]+doc, count)
			}
		}
	}
	return w.Finish(s.g.nodeAt[len(s.g.nodeAt)-1])
}

// damage words why a saved index is not used.
func damage(err error) string { return strings.TrimPrefix(err.Error(), "codegraph: ") }

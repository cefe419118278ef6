package codegraph

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// A shelf is a folder with a saved index: the segment and the log, and what they hold besides the graph.
type shelf struct {
	dir    string
	seg    *segment // nil until the first is written
	log    *log     // nil for readers
	facts  map[key]place
	newer  map[key][]byte // packed facts that stand in the log
	logged int64          // bytes of the log that were read or written
	state  *state         // as it was saved, which may be older than that of the index
}

// saved gives facts in their byte form; the error wraps ErrNotFound when there are none.
func (h *shelf) saved(k key) ([]byte, error) {
	b, err := h.packed(k)
	if err != nil {
		return nil, err
	}
	return unpack(b)
}

func (h *shelf) packed(k key) ([]byte, error) {
	if b, ok := h.newer[k]; ok {
		return b, nil
	}
	p, ok := h.facts[k]
	if !ok || h.seg == nil {
		return nil, fmt.Errorf("facts: %w", ErrNotFound)
	}
	return h.seg.packed(p)
}

// load reads a saved index. The note says what was not whole and was left out.
func (h *shelf) load(fsys fs.FS) (g *Graph, st *state, note string, err error) {
	seg, err := openSegment(filepath.Join(h.dir, baseName))
	if err != nil {
		return nil, nil, "", err
	}
	g, st, facts, err := seg.graph(fsys)
	if err == nil {
		for _, sec := range [...]int{secBodies, secNames, secParts, secFacts} {
			if err = seg.verify(sec); err != nil {
				break
			}
		}
		seg.checked = err == nil
	}
	if err != nil {
		seg.f.Close()
		return nil, nil, "", err
	}
	records, whole, torn, err := readLog(filepath.Join(h.dir, logName), seg.id)
	if err != nil {
		seg.f.Close()
		return nil, nil, "", err
	}
	h.seg, h.facts, h.newer, h.logged, h.state = seg, facts, map[key][]byte{}, whole, st
	if torn > 0 {
		note = fmt.Sprintf("%s: the last %d bytes were not written whole; what they held is read again", logName, torn)
	}
	if len(records) == 0 {
		return g, st, note, nil
	}
	next := &Graph{fsys: fsys, slots: slices.Clone(g.slots), lex: g.lex}
	for i, r := range records {
		if err := h.apply(next, st, r); err != nil {
			seg.f.Close()
			return nil, nil, "", fmt.Errorf("%s: record %d: %w", logName, i, err)
		}
	}
	a := &assembly{g: next, prev: g}
	if err := a.lists(); err != nil {
		seg.f.Close()
		return nil, nil, "", fmt.Errorf("%s: %w: %v", logName, ErrFormat, err)
	}
	if err := next.check(); err != nil {
		seg.f.Close()
		return nil, nil, "", fmt.Errorf("%s: %w", logName, err)
	}
	next.number()
	next.skipped = slices.Clone(st.skips)
	return next, st, note, nil
}

// encodeState writes where everything of a graph and its state lies.
func encodeState(g *Graph, st *state, facts map[key]place) []byte {
	var w writer
	w.general(st, nil)
	w.num(uint64(len(g.slots)))
	for _, s := range g.slots {
		w.str(s.path)
		if s.b == nil {
			continue
		}
		w.num(uint64(len(s.b.raw)))
		if s.in == nil {
			w.num(0)
		} else {
			w.num(uint64(len(s.in.raw)))
		}
		if !s.b.flag(flagDir) {
			f := st.files[s.path]
			w.file(f)
			p := facts[f.key]
			w.num(uint64(p.off))
			w.num(uint64(p.len))
		}
	}
	return w.b
}

// graph reads the graph and the state of a segment.
func (s *segment) graph(fsys fs.FS) (*Graph, *state, map[key]place, error) {
	raw, err := s.read(secState)
	if err != nil {
		return nil, nil, nil, err
	}
	blocks, err := s.read(secBlocks)
	if err != nil {
		return nil, nil, nil, err
	}
	r := reader{b: raw}
	st := &state{}
	r.general(st)
	n := r.count()
	st.files = make(map[string]*fileState, n)
	facts := make(map[key]place, n)
	g := &Graph{fsys: fsys, slots: make([]slot, n), skipped: slices.Clone(st.skips)}
	cut := func(n uint64) ([]byte, bool) {
		if n > uint64(len(blocks)) {
			return nil, false
		}
		b := blocks[:n:n]
		blocks = blocks[n:]
		return b, true
	}
	for i := range g.slots {
		p := r.str()
		if p == "" {
			continue
		}
		b, ok := cut(r.num())
		in, ok2 := cut(r.num())
		if r.bad || !ok || !ok2 || !validPath(p) {
			return nil, nil, nil, fmt.Errorf("%w: slot %d", ErrFormat, i)
		}
		g.slots[i].path = p
		if g.slots[i].b, err = parseBlock(b); err != nil {
			return nil, nil, nil, err
		}
		g.slots[i].b.lex = &entityWords{path: p, b: g.slots[i].b}
		if len(in) > 0 {
			if g.slots[i].in, err = parseInLists(in); err != nil {
				return nil, nil, nil, err
			}
		}
		if !g.slots[i].b.flag(flagDir) {
			f := r.file()
			st.files[p] = f
			facts[f.key] = place{uint32(r.num()), uint32(r.num())}
		}
	}
	if r.bad || len(r.b) > 0 || len(blocks) > 0 {
		return nil, nil, nil, fmt.Errorf("%w: state ends early or late", ErrFormat)
	}
	if err := g.check(); err != nil {
		return nil, nil, nil, err
	}
	g.number()
	g.lex = &lexicon{first: g.nodeAt, blocks: make([]*entityWords, n), load: sync.OnceValues(s.words)}
	for i := range g.slots {
		if b := g.slots[i].b; b != nil {
			g.lex.blocks[i] = b.lex
		}
	}
	return g, st, facts, nil
}

func validPath(p string) bool { return p == "/" || p != "." && fs.ValidPath(p) }

// check makes sure that every edge leads somewhere, and that every path is there once with its directory.
func (g *Graph) check() error {
	bad := func(what, p string) error { return fmt.Errorf("%w: %s of %s", ErrFormat, what, p) }
	paths := make(map[string]bool, len(g.slots))
	for _, s := range g.slots {
		if s.b != nil {
			if paths[s.path] {
				return bad("second slot", s.path)
			}
			paths[s.path] = s.b.flag(flagDir)
		}
	}
	ok := func(slot, local uint32) bool {
		return slot < uint32(len(g.slots)) && g.slots[slot].b != nil && local < g.slots[slot].b.nodes && g.slots[slot].b.live(local)
	}
	for _, s := range g.slots {
		if s.b == nil {
			continue
		}
		if s.path != "/" && !paths[parentPath(s.path)] {
			return bad("directory", s.path)
		}
		for e := range s.b.edges {
			if slot, local, _, _ := s.b.edge(e); !ok(slot, local) {
				return bad("edge", s.path)
			}
			if slot, local, foreign := s.b.source(e); foreign && !ok(slot, local) {
				return bad("edge", s.path)
			}
		}
		made := func(slot, e uint32) bool { return ok(slot, 0) && e < g.slots[slot].b.edges }
		if s.in != nil {
			for n := range s.in.nodes {
				from, to := s.in.reached(n)
				for i := from; i < to; i++ {
					if slot, e := s.in.entry(i); !made(slot, e) {
						return bad("list", s.path)
					}
				}
			}
			for e := range s.in.outer {
				if !made(e.slot, e.edge) {
					return bad("list", s.path)
				}
			}
		}
	}
	return nil
}

// encodeDelta writes what makes a state of an index from the one that was saved. The facts that the log is to keep are added to fresh.
func (h *shelf) encodeDelta(prev, g *Graph, st *state, fresh map[key][]byte) ([]byte, error) {
	old := h.state
	var w writer
	w.general(st, old)
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
	w.num(uint64(len(freed)))
	for _, i := range freed {
		w.num(uint64(i))
	}
	w.num(uint64(len(changed)))
	for _, i := range changed {
		s := &g.slots[i]
		w.num(uint64(i))
		w.str(s.path)
		w.bytes(s.b.raw)
		if int(i) < len(prev.slots) && prev.slots[i].b != nil && prev.slots[i].b.lex == s.b.lex {
			w.bool(false)
			continue
		}
		w.bool(true)
		if _, err := s.b.lex.index(); err != nil {
			return nil, err
		}
		for _, b := range s.b.lex.raw {
			w.bytes(b)
		}
	}
	var removed []string
	for p := range old.files {
		if st.files[p] == nil {
			removed = append(removed, p)
		}
	}
	slices.Sort(removed)
	w.num(uint64(len(removed)))
	for _, p := range removed {
		w.str(p)
	}
	var touched []string
	for p, f := range st.files {
		if o := old.files[p]; o == nil || o != f && (o.size != f.size || o.mtime != f.mtime || o.ctime != f.ctime || o.key != f.key) {
			touched = append(touched, p)
		}
	}
	slices.Sort(touched)
	w.num(uint64(len(touched)))
	for _, p := range touched {
		f := st.files[p]
		w.str(p)
		w.file(f)
		if _, err := h.packed(f.key); err == nil || fresh[f.key] != nil {
			w.bytes(nil)
			continue
		}
		if f.rec == nil {
			return nil, fmt.Errorf("codegraph: facts of %s: %w", p, ErrNotFound)
		}
		b := f.rec.pack()
		fresh[f.key] = b
		w.bytes(b)
	}
	return w.b, nil
}

// apply makes the changes of one record of the log.
func (h *shelf) apply(g *Graph, st *state, record []byte) error {
	r := reader{b: record}
	r.general(st)
	for range r.count() {
		i := r.num()
		if i >= uint64(len(g.slots)) {
			return fmt.Errorf("%w: slot %d", ErrFormat, i)
		}
		g.slots[i] = slot{}
	}
	for range r.count() {
		i, p, raw := r.num(), r.str(), r.bytes()
		if r.bad || i > uint64(len(g.slots)) || !validPath(p) {
			return fmt.Errorf("%w: slot %d", ErrFormat, i)
		}
		if i == uint64(len(g.slots)) {
			g.slots = append(g.slots, slot{})
		}
		b, err := parseBlock(raw)
		if err != nil {
			return err
		}
		s := &g.slots[i]
		if r.bool() {
			b.lex = &entityWords{path: p, b: b}
			for k := range b.lex.raw {
				b.lex.raw[k] = r.bytes()
			}
		} else if s.b == nil {
			return fmt.Errorf("%w: words of slot %d", ErrFormat, i)
		} else {
			b.lex = s.b.lex
		}
		s.path, s.b = p, b
	}
	for range r.count() {
		delete(st.files, r.str())
	}
	for range r.count() {
		p, f := r.str(), r.file()
		packed := r.bytes()
		if len(packed) > 0 {
			h.newer[f.key] = packed
		}
		st.files[p] = f
	}
	if r.bad || len(r.b) > 0 {
		return fmt.Errorf("%w: it ends early or late", ErrFormat)
	}
	for p := range st.files {
		if !validPath(p) {
			return fmt.Errorf("%w: path %q", ErrFormat, p)
		}
	}
	return nil
}

// write saves a whole index as a new segment with an empty log, and gives the graph its words from there.
func (h *shelf) write(g *Graph, st *state) error {
	var parts [sections][]byte
	facts := map[key]place{}
	for _, s := range g.slots {
		if s.b == nil {
			continue
		}
		parts[secBlocks] = append(parts[secBlocks], s.b.raw...)
		if s.in != nil {
			parts[secBlocks] = append(parts[secBlocks], s.in.raw...)
		}
		if s.b.flag(flagDir) {
			continue
		}
		f := st.files[s.path]
		if f == nil {
			return fmt.Errorf("codegraph: save: no state of %s", s.path)
		}
		if _, ok := facts[f.key]; ok {
			continue
		}
		b, err := h.packed(f.key)
		if err != nil && f.rec != nil {
			b, err = f.rec.pack(), nil
		}
		if err != nil {
			return fmt.Errorf("codegraph: save: %s: %w", s.path, err)
		}
		facts[f.key] = place{uint32(len(parts[secFacts])), uint32(len(b))}
		parts[secFacts] = append(parts[secFacts], b...)
	}
	lex := newLexicon(g)
	if g.lex == nil {
		parts[secBodies], parts[secNames], parts[secParts] = lex.gather()
	} else {
		s := g.wordsearch()
		if s.err != nil {
			return s.err
		}
		parts[secBodies], parts[secNames], parts[secParts] = s.merge(bodiesOf), s.merge(namesOf), s.merge(partsOf)
	}
	parts[secState] = encodeState(g, st, facts)
	id := rand.Uint64()
	if h.log != nil {
		if err := h.log.f.Close(); err != nil {
			return fmt.Errorf("codegraph: save: %w", err)
		}
		h.log = nil
	}
	if err := writeSegment(filepath.Join(h.dir, baseName), id, parts); err != nil {
		return fmt.Errorf("codegraph: save: %w", err)
	}
	log, err := openLog(filepath.Join(h.dir, logName), id, 0)
	if err != nil {
		return fmt.Errorf("codegraph: save: %w", err)
	}
	seg, err := openSegment(filepath.Join(h.dir, baseName))
	if err != nil {
		return fmt.Errorf("codegraph: save: %w", err)
	}
	h.seg, h.log, h.facts, h.newer, h.state = seg, log, facts, map[key][]byte{}, st
	lex.load = sync.OnceValues(seg.words)
	g.lex = lex
	for i := range g.slots {
		if b := g.slots[i].b; b != nil && b.lex.list != nil {
			// Nobody reads the words of this block yet, or ever again: the lexicon has them.
			b.lex.list = nil
		}
	}
	return nil
}

// merge writes one kind of words of a graph anew, by its own numbers.
func (s *wordSearch) merge(which func(*wordIndex) *inverted) []byte {
	w := newInverter()
	base := which(s.base)
	for i := range base.terms {
		id, named := uint32(0), false
		slot := uint32(0)
		for doc, count := range base.list(i) {
			if doc >= s.first[slot+1] {
				slot = below(s.first, doc)
			}
			if !s.stay[slot] {
				continue
			}
			if !named {
				id, named = w.id(string(base.term(i))), true
			}
			w.add(id, s.g.nodeAt[slot]+doc-s.first[slot], count)
		}
	}
	for _, l := range s.later {
		v := which(l.wordIndex)
		for i := range v.terms {
			id := w.id(string(v.term(i)))
			for doc, count := range v.list(i) {
				w.add(id, s.g.nodeAt[l.slot]+doc, count)
			}
		}
	}
	return w.finish(s.g.nodeAt[len(s.g.nodeAt)-1])
}

// damage words why a saved index is not used.
func damage(err error) string { return strings.TrimPrefix(err.Error(), "codegraph: ") }

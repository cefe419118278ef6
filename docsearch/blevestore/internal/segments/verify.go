package segments

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"os"
	"path/filepath"

	"github.com/RoaringBitmap/roaring/v2"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	"github.com/blevesearch/vellum"
	zap "github.com/blevesearch/zapx/v17"
	"github.com/golang/snappy"

	"github.com/findspot/findspot/internal/errs"
)

// zapx and vellum believe every number of a segment's file. Where a wrong one makes them leave their bytes they panic, and guard turns that
// into an error. What no recover helps against is checked here before they see it: memory taken by numbers of the file, and dictionaries that
// lead in circles or hold more terms than anybody could have written.

const (
	FooterSize = 40 // length of a name, entries, places of the stored values and of the fields (u64), chunks, version, checksum (u32)
	maxFields  = 256
	maxName    = 256

	// How much more than a file's bytes what stands in it can be, unpacked: snappy packs 64 bytes into 3.
	maxUnpacked = 64
)

func brokenSegment(what string) error { return fmt.Errorf("%w: segment: %s", errs.Format, what) }

// OpenUsing implements segment.Plugin: it checks what zapx reads when it opens a file.
func (p *segmentPlugin) OpenUsing(path string, config map[string]any) (segment.Segment, error) {
	if err := checkFields(path); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return p.ZapPlugin.OpenUsing(path, config)
}

// Open implements segment.Plugin.
func (p *segmentPlugin) Open(path string) (segment.Segment, error) { return p.OpenUsing(path, nil) }

// checkFields checks the footer of a file and the list of its fields.
func checkFields(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	size := uint64(info.Size())
	if size < FooterSize {
		return brokenSegment("footer")
	}
	size -= FooterSize
	buf := make([]byte, 8*maxFields+binary.MaxVarintLen64)
	// read gives up to n bytes before the footer, and none behind it.
	read := func(at uint64, n int) ([]byte, error) {
		if at >= size {
			return nil, brokenSegment("a place behind its end")
		}
		b := buf[:min(uint64(n), size-at)]
		_, err := f.ReadAt(b, int64(at))
		return b, err
	}
	foot := make([]byte, FooterSize)
	if _, err := f.ReadAt(foot, int64(size)); err != nil {
		return err
	}
	u := binary.BigEndian
	entries, stored, fields := u.Uint64(foot[4:]), u.Uint64(foot[12:]), u.Uint64(foot[20:])
	if u.Uint32(foot) != 0 || entries > size/8 || stored > size-8*entries {
		return brokenSegment("footer")
	}
	b, err := read(stored+8*entries, 1)
	if err != nil {
		return err
	}
	if b[0] != 0 { // what zapx calls nested documents; it takes memory by their number
		return brokenSegment("entries within entries")
	}
	if b, err = read(fields, len(buf)); err != nil {
		return err
	}
	n, k := binary.Uvarint(b)
	if k <= 0 || n > maxFields || 8*n > uint64(len(b)-k) {
		return brokenSegment("number of fields")
	}
	places := make([]uint64, n)
	for i := range places {
		places[i] = u.Uint64(b[k+8*i:])
	}
	for _, at := range places {
		if b, err = read(at, maxName+16*binary.MaxVarintLen64); err != nil {
			return err
		}
		r := reader{b: b}
		name := r.uvarint()
		if name > maxName || r.at+name >= uint64(len(b)) {
			return brokenSegment("name of a field")
		}
		r.at += name
		r.uvarint() // options
		kinds := r.uvarint()
		if kinds > zap.NumSections || r.at+10*kinds > uint64(len(b)) {
			return brokenSegment("a field")
		}
		dicts := make([]uint64, 0, zap.NumSections)
		for ; kinds > 0; kinds-- {
			if kind, at := u.Uint16(b[r.at:]), u.Uint64(b[r.at+2:]); kind == zap.SectionInvertedTextIndex {
				dicts = append(dicts, at)
			} else if at != 0 {
				return brokenSegment("a field of another kind")
			}
			r.at += 10
		}
		for _, at := range dicts {
			if at == 0 {
				continue
			}
			if b, err = read(at, 2*binary.MaxVarintLen64); err != nil {
				return err
			}
			from, k := binary.Uvarint(b)
			to := uint64(0)
			if k > 0 {
				to, _ = binary.Uvarint(b[k:])
			}
			if from != math.MaxUint64 || to != math.MaxUint64 {
				return brokenSegment("values by record")
			}
		}
	}
	return nil
}

// MergeUsing implements segment.Plugin: merging goes through all that a segment holds, in a goroutine of the engine's.
func (p *segmentPlugin) MergeUsing(segments []segment.Segment, drops []*roaring.Bitmap, path string, closeCh chan struct{}, s segment.StatsReporter,
	config map[string]any) ([][]uint64, uint64, error) {
	for _, seg := range segments {
		if z, ok := seg.(*zap.Segment); ok { // else it was made here, and is in memory
			if err := checkContent(z); err != nil {
				return nil, 0, fmt.Errorf("%s: %w: %s", filepath.Base(z.Path()), err, Mend)
			}
		}
	}
	numbers, size, err := p.ZapPlugin.MergeUsing(segments, drops, path, closeCh, s, config)
	if err != nil {
		return nil, 0, err
	}
	more, err := mergeCodes(path, segments, numbers)
	if err != nil {
		return nil, 0, errors.Join(err, os.Remove(path))
	}
	return numbers, size + more, nil
}

// checkContent checks all dictionaries, lists and stored values of a segment.
func checkContent(z *zap.Segment) error {
	s := NewShard(z, nil, 0)
	if s.raw == nil {
		return brokenSegment("form")
	}
	for _, field := range z.Fields() {
		fst, err := s.dictionary(field)
		if err == nil && fst != nil {
			err = s.eachTerm(field, fst, func(term []byte, at uint64) error {
				_, err := s.head(at)
				return err
			})
		}
		if err != nil {
			return err
		}
	}
	for n := range uint64(s.n) {
		if err := checkStored(z, n); err != nil {
			return err
		}
	}
	return nil
}

// eachTerm calls visit with the terms of a field and what its dictionary says of them, which has been checked as a whole.
func (s *shard) eachTerm(field string, fst *vellum.FST, visit func(term []byte, at uint64) error) error {
	if err := s.CheckTerms(field); err != nil {
		return err
	}
	it, err := fst.Iterator(nil, nil)
	for ; err == nil; err = it.Next() {
		if err := visit(it.Current()); err != nil {
			return err
		}
	}
	if err != vellum.ErrIteratorDone {
		return err
	}
	return nil
}

// CheckTerms makes sure that going through the terms of a field ends in time.
func (s *shard) CheckTerms(field string) error {
	if s.raw == nil {
		return nil
	}
	b, err := s.terms(field)
	if err == nil && b != nil {
		err = CheckFST(b, maxUnpacked*uint64(len(s.raw)))
	}
	if err != nil {
		return fmt.Errorf("dictionary of %s: %w", field, err)
	}
	return nil
}

// CheckFST makes sure that an FST is a tree with shared branches, and that it has at most that many bytes of terms. It is in vellum's format
// 1 (encoder_v1.go): states of which each begins at its last byte and leads to such before it. A pass from the root down counts the ways that
// lead to each.
func CheckFST(b []byte, most uint64) error {
	bad := brokenSegment("states of terms")
	if len(b) < 32 || binary.LittleEndian.Uint64(b) != 1 {
		return bad
	}
	type ways struct{ number, length uint64 }
	reached := map[uint64]ways{}
	marks := make([]uint64, len(b)/64+1)
	lead := func(from ways, to uint64) {
		w := reached[to]
		w.number = min(w.number+from.number, most+1)
		w.length = min(w.length+from.length+from.number, most+1)
		reached[to] = w
		marks[to/64] |= 1 << (to % 64)
	}
	root := binary.LittleEndian.Uint64(b[len(b)-8:])
	if root >= uint64(len(b)-16) {
		return bad
	}
	if root < 16 {
		return nil // no terms, or the empty one
	}
	lead(ways{number: 1}, root)
	total := uint64(0)
	for i := len(marks) - 1; i >= 0; i-- {
		for marks[i] != 0 {
			bit := 63 - bits.LeadingZeros64(marks[i])
			marks[i] &^= 1 << bit
			at := uint64(64*i + bit)
			w := reached[at]
			delete(reached, at)
			for hop := true; hop; { // along states of one transition to the one below, which most are, without the map
				hop = false
				if total += w.number; total > most || w.length > most {
					return brokenSegment("more terms than it has room for")
				}
				here := at
				if !eachState(b, here, func(to uint64) bool {
					if to >= here || to > 1 && to < 16 {
						return false
					}
					if b[here]&0xc0 == 0xc0 && marks[to/64]&(1<<(to%64)) == 0 && to >= 16 {
						w.length = min(w.length+w.number, most+1)
						at, hop = to, true
					} else if to >= 16 {
						lead(w, to)
					}
					return true
				}) {
					return bad
				}
			}
		}
	}
	return nil
}

// eachState calls lead with the states that one leads to: 0 is the end of a term, 1 nothing. It returns false when the state is not whole.
func eachState(b []byte, at uint64, lead func(uint64) bool) bool {
	bottom := int(at)
	// down takes n bytes below what was taken.
	down := func(n int) []byte {
		if bottom-n < 16 {
			return nil
		}
		bottom -= n
		return b[bottom : bottom+n]
	}
	packed := func(p []byte) (v uint64) {
		for i, c := range p {
			v |= uint64(c) << (8 * i)
		}
		return v
	}
	head := b[at]
	single, trans := head>>7 != 0, int(head&0x3f)
	if trans == 0 {
		more := down(1) // an uncommon byte, or the number
		if more == nil {
			return false
		}
		if trans = int(more[0]); trans == 1 {
			trans = 256
		}
	}
	if single {
		if trans = 1; head&0x40 != 0 {
			return lead(uint64(bottom - 1))
		}
	}
	sizes := down(1)
	if sizes == nil {
		return false
	}
	size, out := int(sizes[0]>>4), int(sizes[0]&0xf)
	outs := trans * out
	if !single {
		if head&0x40 != 0 { // it ends a term
			outs += out
		}
		if down(trans) == nil { // their bytes
			return false
		}
	}
	dests := down(trans * size)
	if dests == nil || down(outs) == nil {
		return false
	}
	for i := range trans {
		to := packed(dests[i*size : (i+1)*size])
		if to != 0 {
			if to > uint64(bottom) {
				return false
			}
			to = uint64(bottom) - to
		}
		if !lead(to) {
			return false
		}
	}
	return true
}

// checkStored makes sure that the stored values of an entry are no larger than their packed form can hold.
func checkStored(seg segment.Segment, n uint64) error {
	z, ok := seg.(*zap.Segment)
	if !ok {
		return nil
	}
	b, bad := z.Data(), brokenSegment("stored values")
	at := z.StoredIndexOffset() + 8*n
	if n >= z.NumDocs() || at > uint64(len(b)-8) {
		return bad
	}
	if at = binary.BigEndian.Uint64(b[at:]); at >= uint64(len(b)) {
		return bad
	}
	r := reader{b: b, at: at}
	meta := r.uvarint()
	if r.at >= uint64(len(b)) {
		return bad
	}
	size := r.uvarint()
	if left := uint64(len(b)) - r.at; meta > left || size > left-meta {
		return bad
	}
	value := b[r.at+meta : r.at+meta+size]
	r = reader{b: b[r.at : r.at+meta]}
	if meta == 0 {
		return bad
	}
	id := r.uvarint()
	if id > size {
		return bad
	}
	if n, err := snappy.DecodedLen(value[id:]); err != nil || n > maxUnpacked*len(value)+maxUnpacked {
		return bad
	}
	for i := 1; r.at < meta; i++ { // field, type, from, size, array positions
		x, n := binary.Uvarint(r.b[r.at:])
		if n <= 0 || i%5 == 0 && x != 0 {
			return bad
		}
		r.at += uint64(n)
	}
	return nil
}

// visitStored calls visit with the stored values of an entry, as long as that returns true.
func visitStored(seg segment.Segment, n uint64, visit segment.StoredFieldValueVisitor) error {
	if err := checkStored(seg, n); err != nil {
		return err
	}
	return seg.VisitStoredFields(n, visit)
}

package segments

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/RoaringBitmap/roaring/v2"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	"github.com/blevesearch/vellum"
	zap "github.com/blevesearch/zapx/v17"

	"github.com/findspot/findspot/internal/errs"
)

// shard is one segment of a view. Its records are numbered from 0, deleted ones among them.
type shard struct {
	seg     segment.Segment
	deleted *roaring.Bitmap // nil: none
	base    uint32          // number of its record 0 in the view
	n       uint32
	raw     []byte // the file in zapx's format of version 17, or nil
	fsts    map[string]*vellum.FST
	dicts   map[string]segment.TermDictionary
}

// NewShard returns a shard that is used by one goroutine.
func NewShard(seg segment.Segment, deleted *roaring.Bitmap, base uint64) *shard {
	s := &shard{seg: seg, deleted: deleted, base: uint32(base), n: uint32(seg.Count())}
	if z, ok := seg.(*zap.Segment); ok && z.Version() == zap.Version && z.ChunkMode() == zap.DefaultChunkMode && z.CallbackId() == "" {
		s.raw = z.Data()
	}
	return s
}

// postings are the records of a shard that hold a term, deleted ones among them, with how often they do, and the length of the
// field or, for words, a note of their neighbours (near.go).
type postings struct {
	records *roaring.Bitmap
	live    int // not deleted

	// The numbers as zapx writes them, in the order of the records: twice how often, plus one bit, and the note, as
	// uvarints. They are cut where a record's number divided by size changes.
	size uint32
	ends []uint64 // of the cuts
	data []byte

	times, notes []uint32 // the same decoded, when data is nil
}

// Postings returns those of a term of a field, or nil.
//
// bleve's iterators take 30 ns and more for each record, which is most of the time of a search. The files are read here instead, by the
// rules of zapx; segments that are of another version, or not on disk yet, go through the iterators.
func (s *shard) Postings(field, term string) (*postings, error) {
	var p *postings
	var err error
	if s.raw != nil {
		p, err = s.rawPostings(field, term)
	} else {
		p, err = s.anyPostings(field, term)
	}
	if p == nil || err != nil {
		return nil, err
	}
	p.live = int(p.records.GetCardinality())
	if s.deleted != nil {
		p.live -= int(p.records.AndCardinality(s.deleted))
	}
	return p, nil
}

// dictionary returns that of a field, or nil when the shard has none that can be read here.
func (s *shard) dictionary(field string) (*vellum.FST, error) {
	if s.raw == nil {
		return nil, nil
	}
	if fst, ok := s.fsts[field]; ok {
		return fst, nil
	}
	var fst *vellum.FST
	b, err := s.terms(field)
	if err == nil && b != nil {
		fst, err = vellum.Load(b)
	}
	if err != nil {
		return nil, err
	}
	if s.fsts == nil {
		s.fsts = map[string]*vellum.FST{}
	}
	s.fsts[field] = fst
	return fst, nil
}

// terms returns the bytes of the dictionary of a field; nil: the segment has none.
func (s *shard) terms(field string) ([]byte, error) {
	at, err := s.seg.(*zap.Segment).DictAddr(field)
	if err != nil {
		return nil, nil
	}
	size, n := binary.Uvarint(s.raw[at:])
	if n <= 0 || size > uint64(len(s.raw))-at-uint64(n) {
		return nil, fmt.Errorf("%w: dictionary of %s", errs.Format, field)
	}
	at += uint64(n)
	return s.raw[at : at+size], nil
}

func (s *shard) rawPostings(field, term string) (*postings, error) {
	fst, err := s.dictionary(field)
	if err != nil || fst == nil {
		return nil, err
	}
	at, ok, err := fst.Get([]byte(term))
	if err != nil || !ok {
		return nil, err
	}
	p, err := s.head(at)
	if err != nil {
		return nil, fmt.Errorf("%w, of %q", err, term)
	}
	return p, nil
}

// head reads where the postings stand that a dictionary leads to, and checks their numbers.
func (s *shard) head(at uint64) (*postings, error) {
	if at&zap.FSTValEncodingMask == zap.FSTValEncoding1Hit {
		record, length := zap.FSTValDecode1Hit(at)
		if record >= uint64(s.n) {
			return nil, brokenSegment("postings of no entry")
		}
		return &postings{records: roaring.BitmapOf(uint32(record)), times: []uint32{1}, notes: []uint32{uint32(length)}}, nil
	}
	r := reader{s.raw, at}
	tf := r.uvarint()
	positions := r.uvarint()
	size := r.uvarint()
	p := &postings{records: roaring.NewBitmap()}
	if _, err := p.records.FromBuffer(r.b[r.at : r.at+size]); err != nil {
		return nil, err
	}
	if n := p.records.GetCardinality(); positions != 0 || n == 0 || n > uint64(s.n) || p.records.Maximum() >= s.n {
		return nil, brokenSegment("postings of other entries")
	}
	p.size = s.n / uint32(p.records.GetCardinality()/1024+1)
	r.at = tf
	cuts := r.uvarint()
	if p.size == 0 || cuts == 0 || cuts > uint64(s.n) {
		return nil, fmt.Errorf("%w: %d cuts in postings", errs.Format, cuts)
	}
	p.ends = make([]uint64, cuts)
	for i := range p.ends {
		p.ends[i] = r.uvarint()
	}
	p.data = r.b[r.at : r.at+p.ends[cuts-1]]
	return p, nil
}

// reader reads numbers from a file.
type reader struct {
	b  []byte
	at uint64
}

func (r *reader) uvarint() uint64 {
	x, n := binary.Uvarint(r.b[r.at:])
	r.at += uint64(max(n, 0))
	return x
}

// anyPostings reads a list through bleve's interfaces.
func (s *shard) anyPostings(field, term string) (*postings, error) {
	dict := s.dicts[field]
	if dict == nil {
		var err error
		if dict, err = s.seg.Dictionary(field); err != nil {
			return nil, err
		}
		if s.dicts == nil {
			s.dicts = map[string]segment.TermDictionary{}
		}
		s.dicts[field] = dict
	}
	list, err := dict.PostingsList([]byte(term), nil, nil)
	if err != nil || list.Count() == 0 {
		return nil, err
	}
	p := &postings{records: roaring.NewBitmap()}
	it := list.Iterator(true, true, false, nil)
	for {
		one, err := it.Next()
		if err != nil {
			return nil, err
		}
		if one == nil {
			return p, nil
		}
		p.records.Add(uint32(one.Number()))
		p.times = append(p.times, uint32(one.Frequency()))
		z, ok := one.(*zap.Posting)
		if !ok { // of a type that has no exact number
			return nil, fmt.Errorf("%w: a posting of %T", errs.Unsupported, one)
		}
		p.notes = append(p.notes, uint32(z.NormUint64()))
	}
}

// batch is a stretch of postings.
type batch struct {
	n                     int
	records, times, notes [256]uint32
}

// walk reads postings in order.
type walk struct {
	p    *postings
	it   roaring.ManyIntIterable
	at   int // in data, or in times
	read batch
}

// walk returns a walk over all postings; w is used again.
func (p *postings) walk(w *walk) {
	w.p, w.it, w.at = p, p.records.ManyIterator(), 0
}

// next fills w.read, which is empty at the end.
func (w *walk) next() bool {
	b := &w.read
	b.n = w.it.NextMany(b.records[:])
	if w.p.data == nil {
		copy(b.times[:b.n], w.p.times[w.at:])
		copy(b.notes[:b.n], w.p.notes[w.at:])
		w.at += b.n
		return b.n > 0
	}
	w.at = decodePairs(w.p.data, w.at, b.times[:b.n], b.notes[:b.n])
	return b.n > 0
}

// decodePairs reads pairs of numbers from data[at:] and returns where the next one begins.
func decodePairs(data []byte, at int, times, notes []uint32) int {
	notes = notes[:len(times)]
	for i := range times {
		x := uint32(data[at])
		at++
		if x >= 0x80 {
			x, at = uvarintRest(data, at, x)
		}
		times[i] = x >> 1
		y := uint32(data[at])
		at++
		if y >= 0x80 {
			z := uint32(data[at])
			at++
			if y = y&0x7f | z<<7; z >= 0x80 {
				z = uint32(data[at]) // the notes of words are of three bytes
				at++
				if y = y&0x3fff | z<<14; z >= 0x80 {
					y, at = uvarintRest(data, at-2, y&0x7f|0x80)
				}
			}
		}
		notes[i] = y
	}
	return at
}

// uvarintRest goes on with a number whose first byte was x.
func uvarintRest(data []byte, at int, x uint32) (uint32, int) {
	x &= 0x7f
	for shift := 7; ; shift += 7 {
		b := uint32(data[at])
		at++
		x |= b & 0x7f << shift
		if b < 0x80 {
			return x, at
		}
	}
}

// skip returns the place behind n pairs of numbers.
func skip(data []byte, at, n int) int {
	n *= 2
	for n > 8 && at+8 <= len(data) {
		ends := bits.OnesCount64(^binary.LittleEndian.Uint64(data[at:]) & 0x8080808080808080)
		n -= ends
		at += 8
	}
	for ; n > 0; at++ {
		if data[at] < 0x80 {
			n--
		}
	}
	return at
}

// pick reads the postings of some records in order; times is 0 for those that are not among them.
func (p *postings) pick(records, times, notes []uint32, w *walk) {
	if p.data == nil || len(records) > int(p.records.GetCardinality())/32 {
		p.pickAll(records, times, notes, w)
		return
	}
	cut, at, rank := -1, 0, 0 // rank of the posting at at
	for i, r := range records {
		times[i] = 0
		if !p.records.Contains(r) {
			continue
		}
		if c := int(r / p.size); c != cut {
			cut, at, rank = c, 0, 0
			if c > 0 {
				at = int(p.ends[c-1])
				rank = int(p.records.Rank(uint32(c)*p.size - 1))
			}
		}
		n := int(p.records.Rank(r)) - 1
		at = skip(p.data, at, n-rank)
		at = decodePairs(p.data, at, times[i:i+1], notes[i:i+1])
		rank = n + 1
	}
}

func (p *postings) pickAll(records, times, notes []uint32, w *walk) {
	p.walk(w)
	i := 0
	for i < len(records) && w.next() {
		b := &w.read
		last := b.records[b.n-1]
		for k := 0; i < len(records) && records[i] <= last; i++ {
			for b.records[k] < records[i] {
				k++
			}
			times[i] = 0
			if b.records[k] == records[i] {
				times[i], notes[i] = b.times[k], b.notes[k]
			}
		}
	}
	clear(times[i:])
}

// stored returns one stored value of a record to yield, which must not keep it.
func (s *shard) stored(record uint32, field string, yield func(value []byte)) error {
	return visitStored(s.seg, uint64(record), func(name string, _ byte, value []byte, _ []uint64) bool {
		if name == field {
			yield(value)
			return false
		}
		return true
	})
}

package segments

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"

	"github.com/findspot/findspot/internal/errs"
)

// members says which document each entry of a segment belongs to, deleted entries included. A segment never changes, so that
// it serves as long as the segment does.
type members struct {
	docs []string // each once, in order
	of   []uint32 // by number of the entry: index in docs
}

// segmentKey tells segments apart. Numbers alone do not: those of segments that were never written, or not whole, come again.
type segmentKey struct {
	number, entries uint64
	sum             uint32 // of its file
}

func keyOf(s *scorch.SegmentSnapshot) segmentKey {
	k := segmentKey{number: s.Id(), entries: s.Segment().Count()}
	if f, ok := s.Segment().(interface{ CRC() uint32 }); ok {
		k.sum = f.CRC()
	}
	return k
}

// parentOf returns the document of an entry.
func parentOf(id []byte) ([]byte, error) {
	i := bytes.LastIndexByte(id, '/')
	if i >= 0 && string(id[i:]) != "/l" {
		i = bytes.LastIndexByte(id[:i], '/')
	}
	if i < 0 {
		return nil, fmt.Errorf("%w: entry %q", errs.Format, id)
	}
	return id[:i], nil
}

// segmentMembers reads the ids of a segment from their dictionary. The stored ids lie between the texts, which nobody wants to
// read for this.
func segmentMembers(ctx context.Context, seg segment.Segment) (*members, error) {
	m := &members{of: make([]uint32, seg.Count())}
	sorted, n := true, 0
	add := func(id []byte, entry uint64) error {
		if n++; n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		doc, err := parentOf(id)
		if err != nil {
			return err
		}
		if entry >= uint64(len(m.of)) {
			return fmt.Errorf("%w: entry %q has number %d of %d", errs.Format, id, entry, len(m.of))
		}
		if last := len(m.docs) - 1; last < 0 || m.docs[last] != string(doc) {
			sorted = sorted && (last < 0 || m.docs[last] < string(doc))
			m.docs = append(m.docs, string(doc))
		}
		m.of[entry] = uint32(len(m.docs) - 1)
		return nil
	}
	if err := eachID(seg, add); err != nil {
		return nil, err
	}
	if !sorted { // "a-b/c/0" stands before "a/c/0"
		m.sort()
	}
	return m, nil
}

// sort puts the documents in order, each once.
func (m *members) sort() {
	order := make([]uint32, len(m.docs))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(a, b uint32) int { return strings.Compare(m.docs[a], m.docs[b]) })
	place := make([]uint32, len(m.docs))
	docs := make([]string, 0, len(m.docs))
	for _, i := range order {
		if n := len(docs); n == 0 || docs[n-1] != m.docs[i] {
			docs = append(docs, m.docs[i])
		}
		place[i] = uint32(len(docs) - 1)
	}
	for i, d := range m.of {
		m.of[i] = place[d]
	}
	m.docs = docs
}

// eachID calls yield with the id and the number of every entry, in the order of the ids.
func eachID(seg segment.Segment, yield func(id []byte, entry uint64) error) error {
	sh := NewShard(seg, nil, 0)
	fst, err := sh.dictionary("_id")
	if err != nil {
		return err
	}
	if fst != nil { // which holds the numbers, where it need not be asked for a list
		return sh.eachTerm("_id", fst, func(id []byte, at uint64) error {
			if at&zap.FSTValEncodingMask == zap.FSTValEncoding1Hit {
				entry, _ := zap.FSTValDecode1Hit(at)
				return yield(id, entry)
			}
			ps, err := sh.head(at) // of several entries, where one was replaced while segments were merged
			if err != nil {
				return err
			}
			it := ps.records.Iterator()
			for it.HasNext() {
				if err := yield(id, uint64(it.Next())); err != nil {
					return err
				}
			}
			return nil
		})
	}
	dict, err := seg.Dictionary("_id")
	if err != nil {
		return err
	}
	it := dict.AutomatonIterator(nil, nil, nil)
	var list segment.PostingsList
	var numbers segment.PostingsIterator
	for {
		e, err := it.Next()
		if err != nil || e == nil {
			return err
		}
		if list, err = dict.PostingsList([]byte(e.Term), nil, list); err != nil {
			return err
		}
		numbers = list.Iterator(false, false, false, numbers)
		for {
			p, err := numbers.Next()
			if err != nil {
				return err
			}
			if p == nil {
				break
			}
			if err := yield([]byte(e.Term), p.Number()); err != nil {
				return err
			}
		}
	}
}

// loadMembers fills the tables of the view. cache holds what views before it learnt of segments, by their keys; the one
// returned is for views to come.
func (v *View) loadMembers(ctx context.Context, cache map[segmentKey]*members) (map[segmentKey]*members, error) {
	segments, err := Of(v.r)
	if err != nil {
		return nil, err
	}
	fresh := make(map[segmentKey]*members)
	total := 0
	var lists [][]string // live documents of the segments
	for _, s := range segments {
		m := cache[keyOf(s)]
		if m == nil {
			var err error
			if m, err = segmentMembers(ctx, s.Segment()); err != nil {
				return nil, err
			}
		}
		fresh[keyOf(s)] = m
		total += len(m.of)
		lists = append(lists, m.live(s.Deleted()))
	}
	v.docs = merged(lists)
	v.parents = make([]uint32, 0, total)
	for _, s := range segments {
		m := fresh[keyOf(s)]
		ords := make([]uint32, len(m.docs))
		at := 0
		for d, id := range m.docs { // both lists are in order
			for at < len(v.docs) && v.docs[at] < id {
				if len(v.docs)-at > 8*(len(m.docs)-d) { // a few documents among many
					skip, _ := slices.BinarySearch(v.docs[at:], id)
					at += skip
					break
				}
				at++
			}
			if at < len(v.docs) && v.docs[at] == id {
				ords[d] = uint32(at + 1) // else nothing of the document is left
			}
		}
		for n, d := range m.of {
			o := ords[d]
			if s.Deleted() != nil && s.Deleted().Contains(uint32(n)) {
				o = 0
			}
			v.parents = append(v.parents, o)
		}
	}
	return fresh, nil
}

// live returns the documents that have entries which are not deleted, in order.
func (m *members) live(deleted *roaring.Bitmap) []string {
	if deleted == nil || deleted.IsEmpty() {
		return m.docs
	}
	alive := make([]bool, len(m.docs))
	for n, d := range m.of {
		if !alive[d] && !deleted.Contains(uint32(n)) {
			alive[d] = true
		}
	}
	var out []string
	for d, ok := range alive {
		if ok {
			out = append(out, m.docs[d])
		}
	}
	return out
}

// merged returns the strings of lists that are in order, each once, in order. It may return one of the lists.
func merged(lists [][]string) []string {
	for len(lists) > 1 { // the shortest ones first
		slices.SortFunc(lists, func(a, b []string) int { return len(b) - len(a) })
		a, b := lists[len(lists)-2], lists[len(lists)-1]
		out := make([]string, 0, len(a)+len(b))
		for len(a) > 0 && len(b) > 0 {
			c := strings.Compare(a[0], b[0])
			if c <= 0 {
				out, a = append(out, a[0]), a[1:]
			} else {
				out = append(out, b[0])
			}
			if c >= 0 {
				b = b[1:]
			}
		}
		lists = append(lists[:len(lists)-2], append(append(out, a...), b...))
	}
	if len(lists) == 0 {
		return nil
	}
	return lists[0]
}

// ordinal returns the place of a document in docs plus one, or 0 when it is not there.
func (v *View) ordinal(id string) uint32 {
	if i, ok := slices.BinarySearch(v.docs, id); ok {
		return uint32(i + 1)
	}
	return 0
}

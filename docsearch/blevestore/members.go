package blevestore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2/index/scorch"
	segment "github.com/blevesearch/scorch_segment_api/v2"

	"github.com/findspot/findspot/internal/errs"
)

// members says which document each entry of a segment belongs to, deleted entries included. A segment never changes, so that
// it serves as long as the segment does.
type members struct {
	docs []string // each once
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
func parentOf(id string) (string, error) {
	i := strings.LastIndexByte(id, '/')
	if i >= 0 && id[i:] != "/l" {
		i = strings.LastIndexByte(id[:i], '/')
	}
	if i < 0 {
		return "", fmt.Errorf("%w: entry %q", errs.Format, id)
	}
	return id[:i], nil
}

// segmentMembers reads the ids of a segment from their dictionary. The stored ids lie between the texts, which nobody wants to
// read for this.
func segmentMembers(ctx context.Context, seg segment.Segment) (*members, error) {
	dict, err := seg.Dictionary("_id")
	if err != nil {
		return nil, err
	}
	m := &members{of: make([]uint32, seg.Count())}
	known := map[string]uint32{}
	it := dict.AutomatonIterator(nil, nil, nil)
	var list segment.PostingsList
	var numbers segment.PostingsIterator
	last := ""
	for n := 0; ; n++ {
		e, err := it.Next()
		if err != nil || e == nil {
			return m, err
		}
		if n%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		doc, err := parentOf(e.Term)
		if err != nil {
			return nil, err
		}
		if doc != last || n == 0 {
			if _, ok := known[doc]; !ok {
				known[doc] = uint32(len(m.docs))
				m.docs = append(m.docs, doc)
			}
			last = doc
		}
		if list, err = dict.PostingsList([]byte(e.Term), nil, list); err != nil {
			return nil, err
		}
		numbers = list.Iterator(false, false, false, numbers)
		for {
			p, err := numbers.Next()
			if err != nil {
				return nil, err
			}
			if p == nil {
				break
			}
			if p.Number() >= uint64(len(m.of)) {
				return nil, fmt.Errorf("%w: entry %q has number %d of %d", errs.Format, e.Term, p.Number(), len(m.of))
			}
			m.of[p.Number()] = known[doc]
		}
	}
}

// loadMembers fills the tables of the view. cache holds what views before it learnt of segments, by
// their keys; the one returned is for views to come.
func (v *view) loadMembers(ctx context.Context, cache map[segmentKey]*members) (map[segmentKey]*members, error) {
	segments, err := segmentsOf(v.r)
	if err != nil {
		return nil, err
	}
	fresh := make(map[segmentKey]*members)
	total := 0
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
	}
	live := make([][]bool, len(segments))
	for i, s := range segments {
		m := fresh[keyOf(s)]
		live[i] = make([]bool, len(m.docs))
		for n, d := range m.of {
			if s.Deleted() == nil || !s.Deleted().Contains(uint32(n)) {
				live[i][d] = true
			}
		}
		for d, ok := range live[i] {
			if ok {
				v.docs = append(v.docs, m.docs[d])
			}
		}
	}
	slices.Sort(v.docs)
	v.docs = slices.Compact(v.docs)
	v.ord = make(map[string]uint32, len(v.docs))
	for i, d := range v.docs {
		v.ord[d] = uint32(i + 1)
	}
	v.parents = make([]uint32, 0, total)
	for _, s := range segments {
		m := fresh[keyOf(s)]
		ords := make([]uint32, len(m.docs))
		for d, id := range m.docs {
			ords[d] = v.ord[id] // 0 when nothing of the document is left
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

package segments

import (
	"cmp"
	"container/heap"
	"math"
	"slices"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"

	"github.com/findspot/findspot/docsearch/driver"
)

// match is one record that matches.
type match struct {
	record uint32 // number in the view
	score  float64
}

// scratch is memory for one search on a view.
type scratch struct {
	shards  []*shard
	matches []match
	acc     []float64 // by record of a segment, all zero
	best    []float64 // by document, all -Inf
	place   []uint32  // by document, all zero
	touched []uint32  // documents
	times   []uint32
	notes   []uint32
}

func (s *scratch) sums(n int) []float64 {
	if len(s.acc) < n {
		s.acc = make([]float64, n)
	}
	return s.acc[:n]
}

func (s *scratch) numbers(n int) (times, notes []uint32) {
	if cap(s.times) < n {
		s.times, s.notes = make([]uint32, n), make([]uint32, n)
	}
	return s.times[:n], s.notes[:n]
}

// scratch returns memory for a search. Who has left it clean puts it back into v.pool.
func (v *View) scratch() *scratch {
	if s, ok := v.pool.Get().(*scratch); ok {
		s.matches = s.matches[:0]
		return s
	}
	s := &scratch{best: make([]float64, len(v.docs)+1), place: make([]uint32, len(v.docs)+1)}
	for i := range s.best {
		s.best[i] = math.Inf(-1)
	}
	s.shards = v.segments()
	return s
}

// segments returns the segments of the view, for use by one goroutine.
func (v *View) segments() []*shard {
	var out []*shard
	if snapshot, ok := v.r.(*scorch.IndexSnapshot); ok {
		at := uint64(0)
		for _, seg := range snapshot.Segments() {
			out = append(out, NewShard(seg.Segment(), seg.Deleted(), at))
			at += seg.Segment().Count()
		}
	}
	return out
}

// ranked is documents by their best score, the worst first.
type ranked struct {
	best []float64
	docs []uint32
}

func (r *ranked) Len() int           { return len(r.docs) }
func (r *ranked) Less(i, j int) bool { return r.worse(r.docs[i], r.docs[j]) }
func (r *ranked) Swap(i, j int)      { r.docs[i], r.docs[j] = r.docs[j], r.docs[i] }
func (r *ranked) Push(x any)         { r.docs = append(r.docs, x.(uint32)) }

func (r *ranked) Pop() any {
	last := r.docs[len(r.docs)-1]
	r.docs = r.docs[:len(r.docs)-1]
	return last
}

// worse reports that document a comes behind b; equal ones stand by their ids, which the numbers follow.
func (r *ranked) worse(a, b uint32) bool {
	if r.best[a] != r.best[b] {
		return r.best[a] < r.best[b]
	}
	return a > b
}

// group picks the best documents and their best records.
func (e *eval) group() (*driver.Hits, error) {
	s := e.scratch
	best := s.best
	touched := s.touched[:0]
	defer func() {
		for _, o := range touched {
			best[o], s.place[o] = math.Inf(-1), 0
		}
		s.touched = touched
	}()
	for _, m := range s.matches {
		o := e.v.parents[m.record]
		if math.IsInf(best[o], -1) {
			touched = append(touched, o)
		}
		best[o] = max(best[o], m.score)
	}
	top, limit := &ranked{best: best}, max(e.q.Limit, 0)
	for _, o := range touched {
		switch {
		case len(top.docs) < limit:
			heap.Push(top, o)
		case limit > 0 && top.worse(top.docs[0], o):
			top.docs[0] = o
			heap.Fix(top, 0)
		}
	}
	slices.SortFunc(top.docs, func(a, b uint32) int { return cmp.Or(cmp.Compare(best[b], best[a]), cmp.Compare(a, b)) })
	records := make([][]match, len(top.docs))
	for i, o := range top.docs {
		s.place[o] = uint32(i + 1)
	}
	for _, m := range s.matches {
		if i := s.place[e.v.parents[m.record]]; i != 0 {
			records[i-1] = append(records[i-1], m)
		}
	}
	res := &driver.Hits{Total: len(touched), AtLeast: e.atLeast}
	for i, o := range top.docs {
		h, err := e.hit(e.v.docs[o-1], records[i])
		if err != nil {
			return nil, err
		}
		res.Hits = append(res.Hits, *h)
	}
	return res, nil
}

func (e *eval) hit(doc string, ms []match) (*driver.Hit, error) {
	slices.SortFunc(ms, func(a, b match) int { return cmp.Compare(b.score, a.score) })
	// Ties are broken by the record's number, which is read only for the records that may be returned.
	n := min(len(ms), e.q.PerDoc)
	for n > 0 && n < len(ms) && ms[n].score == ms[n-1].score {
		n++
	}
	h := &driver.Hit{Doc: doc}
	for _, m := range ms[:n] {
		ext, err := e.v.r.ExternalID(index.NewIndexInternalID(nil, uint64(m.record)))
		if err != nil {
			return nil, err
		}
		num, err := recordN(ext)
		if err != nil {
			return nil, err
		}
		h.Records = append(h.Records, driver.RecordHit{N: num, Score: m.score})
	}
	slices.SortFunc(h.Records, func(a, b driver.RecordHit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.N, b.N))
	})
	h.Records = h.Records[:min(len(h.Records), e.q.PerDoc)]
	return h, nil
}

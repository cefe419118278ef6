package segments

import (
	"context"
	"sync"
	"time"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/findspot/findspot/docsearch/driver"
)

// View is one state of the index with the table that says which document each record belongs to.
type View struct {
	r       index.IndexReader
	stats   Stats
	docs    []string // document ids in order
	parents []uint32 // by internal number: index in docs plus one, or 0
	made    time.Time

	pool    sync.Pool // *scratch
	phrases sync.Pool // *driver.Phrase

	lengthMu   sync.Mutex               // guards what follows
	lengths    map[driver.Kind][]uint32 // words of the records by their numbers
	vectorDocs map[driver.Kind]int      // how many documents have vectors

	mu   sync.Mutex // guards refs
	refs int
}

// Views keeps the view of the present generation.
type Views struct {
	Dir string
	Pin *Pin

	mu      sync.Mutex              // guards what follows
	view    *View                   // or nil
	members map[segmentKey]*members // of the segments of the last view
}

// ViewAge is how long a view is used when nothing changes: an old one keeps files of merged segments alive.
const ViewAge = time.Minute

// Acquire returns the view of the state that is pinned, which must be released.
func (s *Views) Acquire(ctx context.Context) (*View, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.view
	if v == nil || v.stats.Generation != s.Pin.Statistics().Generation || time.Since(v.made) > ViewAge {
		fresh, err := s.make(ctx)
		if err != nil {
			return nil, err
		}
		if v != nil {
			v.Release()
		}
		s.view, v = fresh, fresh
	}
	v.mu.Lock()
	v.refs++
	v.mu.Unlock()
	return v, nil
}

// Drop lets go of the view; searches that run keep theirs.
func (s *Views) Drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.view != nil {
		s.view.Release()
		s.view = nil
	}
}

func (s *Views) make(ctx context.Context) (_ *View, err error) {
	defer Guard(s.Dir, &err)()
	r, _ := s.Pin.Reader()
	v := &View{r: r, made: time.Now(), refs: 1}
	if v.stats, err = ReadStats(r); err == nil {
		s.members, err = v.loadMembers(ctx, s.members)
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	return v, nil
}

func (v *View) Release() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.refs--; v.refs == 0 {
		v.r.Close()
	}
}

// wordCounts returns how many words each record of a kind has, by its number.
func (v *View) wordCounts(kind driver.Kind) ([]uint32, error) {
	v.lengthMu.Lock()
	defer v.lengthMu.Unlock()
	if l := v.lengths[kind]; l != nil {
		return l, nil
	}
	out := make([]uint32, len(v.parents))
	var w walk
	for _, s := range v.segments() {
		ps, err := s.Postings(letters[kind]+".length", LengthTerm)
		if err != nil {
			return nil, err
		}
		if ps == nil {
			continue
		}
		ps.walk(&w)
		for w.next() {
			for i, r := range w.read.records[:w.read.n] {
				out[s.base+r] = w.read.times[i]
			}
		}
	}
	if v.lengths == nil {
		v.lengths = map[driver.Kind][]uint32{}
	}
	v.lengths[kind] = out
	return out, nil
}

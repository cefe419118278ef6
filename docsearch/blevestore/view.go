package blevestore

import (
	"context"
	"sync"
	"time"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/findspot/findspot/docsearch/driver"
)

// view is one state of the index with the table that says which document each record belongs to.
type view struct {
	r       index.IndexReader
	stats   stats
	docs    []string // document ids in order
	parents []uint32 // by internal number: index in docs plus one, or 0
	made    time.Time

	pool    sync.Pool // *scratch
	phrases sync.Pool // *driver.Phrase

	lengthMu sync.Mutex               // guards lengths
	lengths  map[driver.Kind][]uint32 // words of the records by their numbers

	mu   sync.Mutex // guards refs
	refs int
}

// viewAge is how long a view is used when nothing changes: an old one keeps files of merged segments alive.
const viewAge = time.Minute

// acquire returns the view of the present state. release must be called.
func (s *store) acquire(ctx context.Context) (*view, func(), error) {
	if err := s.begin(ctx); err != nil {
		return nil, nil, err
	}
	s.repin()
	s.viewMu.Lock()
	defer s.viewMu.Unlock()
	v := s.view
	if v == nil || v.stats.Generation != s.statistics().Generation || time.Since(v.made) > viewAge {
		fresh, err := s.newView(ctx)
		if err != nil {
			s.mu.RUnlock()
			return nil, nil, err
		}
		if v != nil {
			v.release()
		}
		s.view, v = fresh, fresh
	}
	v.mu.Lock()
	v.refs++
	v.mu.Unlock()
	return v, func() { v.release(); s.mu.RUnlock() }, nil
}

func (v *view) release() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.refs--; v.refs == 0 {
		v.r.Close()
	}
}

// dropView lets go of the view; searches that run keep theirs.
func (s *store) dropView() {
	s.viewMu.Lock()
	defer s.viewMu.Unlock()
	if s.view != nil {
		s.view.release()
		s.view = nil
	}
}

func (s *store) newView(ctx context.Context) (_ *view, err error) {
	defer guard(s.dir, &err)()
	r, _ := s.pinned()
	v := &view{r: r, made: time.Now(), refs: 1}
	if err := v.load(ctx, s); err != nil {
		r.Close()
		return nil, err
	}
	return v, nil
}

func (v *view) load(ctx context.Context, s *store) (err error) {
	if v.stats, err = readStats(v.r); err != nil {
		return err
	}
	s.members, err = v.loadMembers(ctx, s.members)
	return err
}

// wordCounts returns how many words each record of a kind has, by its number.
func (v *view) wordCounts(kind driver.Kind) ([]uint32, error) {
	v.lengthMu.Lock()
	defer v.lengthMu.Unlock()
	if l := v.lengths[kind]; l != nil {
		return l, nil
	}
	out := make([]uint32, len(v.parents))
	var w walk
	for _, s := range v.segments() {
		ps, err := s.postings(letters[kind]+".length", lengthTerm)
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

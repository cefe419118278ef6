package blevestore

import (
	"context"

	"github.com/findspot/findspot/docsearch/blevestore/internal/segments"
	"github.com/findspot/findspot/docsearch/driver"
)

var (
	_ driver.Walker      = (*store)(nil)
	_ driver.Speller     = (*store)(nil)
	_ driver.VectorStore = (*store)(nil)
	_ driver.Checker     = (*store)(nil)
	_ driver.Backuper    = (*store)(nil)
)

// viewed asks something of the view of the present state.
func viewed[T any](ctx context.Context, s *store, ask func(*segments.View) (T, error)) (_ T, err error) {
	defer segments.Guard(s.dir, &err)()
	var none T
	if err := s.begin(ctx); err != nil {
		return none, err
	}
	defer s.mu.RUnlock()
	s.repin()
	v, err := s.views.Acquire(ctx)
	if err != nil {
		return none, err
	}
	defer v.Release()
	return ask(v)
}

func (s *store) Search(ctx context.Context, q *driver.Query) (*driver.Hits, error) {
	return viewed(ctx, s, func(v *segments.View) (*driver.Hits, error) { return segments.Search(ctx, s.dir, v, q) })
}

func (s *store) SearchVectors(ctx context.Context, q *driver.VectorQuery) (*driver.Hits, error) {
	return viewed(ctx, s, func(v *segments.View) (*driver.Hits, error) { return segments.SearchVectors(ctx, s.dir, v, q) })
}

func (s *store) Similar(ctx context.Context, kind driver.Kind, term string, limit int) ([]driver.Spelling, error) {
	return viewed(ctx, s, func(v *segments.View) ([]driver.Spelling, error) { return segments.Similar(ctx, v, kind, term, limit) })
}

func (s *store) Count(ctx context.Context, kind driver.Kind, terms []string) (*driver.Counts, error) {
	return viewed(ctx, s, func(v *segments.View) (*driver.Counts, error) { return segments.Count(ctx, v, kind, terms) })
}

// Check and Backup look at the state on disk, beside whatever goes on.
func (s *store) Check(ctx context.Context) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	s.mu.RUnlock()
	return checkFolder(ctx, &s.location)
}

func (s *store) Backup(ctx context.Context, dir string, progress func(done, total int64)) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	s.mu.RUnlock()
	return s.backup(ctx, dir, progress)
}

package memstore

import (
	"context"

	"github.com/findspot/findspot/docsearch/driver"
)

// SearchVectors implements [driver.VectorStore].
func (s *store) SearchVectors(ctx context.Context, q *driver.VectorQuery) (*driver.Hits, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if err := s.check(ctx); err != nil {
		return nil, err
	}
	direction, err := q.Direction()
	if err != nil {
		return nil, err
	}
	return s.collect(ctx, q.Docs, q.Limit, q.PerDoc, func(r *record) (float64, bool, error) {
		if r.Kind != q.Kind || r.Vector == nil {
			return 0, false, nil
		}
		if len(r.Vector) != len(direction) {
			return 0, false, driver.WrongLength(q, r.Doc, len(r.Vector))
		}
		return driver.Cosine(direction, r.Vector), true, nil
	})
}

package memstore

import (
	"cmp"
	"context"
	"maps"
	"slices"

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
	res := &driver.Hits{}
	for _, id := range slices.Sorted(maps.Keys(s.docs)) {
		if q.Docs != nil && !slices.Contains(q.Docs, id) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		h := driver.Hit{Doc: id}
		for _, r := range s.docs[id].records {
			if r.Kind != q.Kind || r.Vector == nil {
				continue
			}
			if len(r.Vector) != len(direction) {
				return nil, driver.WrongLength(q, id, len(r.Vector))
			}
			h.Records = append(h.Records, driver.RecordHit{N: r.N, Score: driver.Cosine(direction, r.Vector)})
		}
		if len(h.Records) == 0 {
			continue
		}
		res.Total++
		if q.PerDoc <= 0 {
			continue
		}
		slices.SortFunc(h.Records, func(a, b driver.RecordHit) int {
			return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.N, b.N))
		})
		h.Records = h.Records[:min(len(h.Records), q.PerDoc)]
		res.Hits = append(res.Hits, h)
	}
	slices.SortStableFunc(res.Hits, func(a, b driver.Hit) int {
		return cmp.Compare(b.Records[0].Score, a.Records[0].Score)
	})
	res.Hits = res.Hits[:min(len(res.Hits), max(q.Limit, 0))]
	return res, nil
}

package search

import (
	"context"
	"fmt"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/query"
	"github.com/findspot/findspot/internal/errs"
)

// A meaning says how near the passages of one document are to a question by their vectors.
type meaning struct {
	similarity float64         // cosine of the nearest
	best       float64         // the same on the scale of near
	near       map[int]float64 // by number: 1 for the nearest of all documents, 0 for the farthest of those that were found
}

// meanings compares the vector of a question with those of passages, by document; nil where there is no embedder, or it does not work, which the answer says.
func (s *Search) meanings(ctx context.Context, question string) (map[string]*meaning, error) {
	if s.vectors == nil {
		return nil, nil
	}
	store, ok := s.store.(driver.VectorStore)
	if !ok {
		return nil, fmt.Errorf("%w: the engine holds no vectors", errs.Unsupported)
	}
	v, err := s.vectors.Query(ctx, query.Spoken(question))
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		s.VectorsError = err
		return nil, nil
	}
	if v == nil { // the question has no direction
		return nil, nil
	}
	hits, err := store.SearchVectors(ctx, &driver.VectorQuery{
		Kind: driver.KindChunk, Vector: v, Docs: s.c.Embedded(s.vectors.Name(), s.in.IDs), Limit: 3 * questionDocs, PerDoc: questionChunks})
	if err != nil {
		return nil, err
	}
	s.Compared = hits.Total
	low, high := 1., -1.
	for _, h := range hits.Hits {
		for _, r := range h.Records {
			low, high = min(low, r.Score), max(high, r.Score)
		}
	}
	out := map[string]*meaning{}
	for _, h := range hits.Hits {
		m := &meaning{near: map[int]float64{}}
		for _, r := range h.Records {
			x := 1.
			if high > low {
				x = (r.Score - low) / (high - low)
			}
			m.near[r.N] = x
			m.best, m.similarity = max(m.best, x), max(m.similarity, r.Score)
		}
		out[h.Doc] = m
	}
	return out, nil
}

package embedding

import (
	"context"
	"sync"
)

// maxQueries is how many queries have their vectors kept: pages of one search, and several indexes of one question, ask for one.
const maxQueries = 64

// Queries makes vectors of queries, and remembers the last ones. It is safe for concurrent use.
type Queries struct {
	Embedder Embedder

	mu   sync.Mutex // guards what follows
	made map[string][]float32
}

// Vector returns the vector of a query, nil when it has no direction.
func (q *Queries) Vector(ctx context.Context, query string) ([]float32, error) {
	q.mu.Lock()
	v, ok := q.made[query]
	q.mu.Unlock()
	if ok {
		return v, nil
	}
	v, err := Query(ctx, q.Embedder, query)
	if err != nil {
		return nil, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.made == nil || len(q.made) >= maxQueries {
		q.made = map[string][]float32{}
	}
	q.made[query] = v
	return v, nil
}

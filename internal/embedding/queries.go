package embedding

import (
	"context"
	"sync"

	"github.com/findspot/findspot/internal/vector"
)

// maxQueries is how many queries have their vectors kept: pages of one search, and several indexes of one question, ask for one.
const maxQueries = 64

// Queries makes vectors of queries, and remembers the last ones. It is safe for concurrent use.
type Queries struct {
	Embedder Embedder

	mu        sync.Mutex // guards what follows
	made      map[string][]float32
	unrelated *float64 // nil: not known yet
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

// Unrelated is the mean cosine of sentences that have nothing in common. It is about 0 with some models and .7 with others, all of whose cosines lie between
// that and 1. The embedder is asked once.
func (q *Queries) Unrelated(ctx context.Context) (float64, error) {
	q.mu.Lock()
	known := q.unrelated
	q.mu.Unlock()
	if known != nil {
		return *known, nil
	}
	vs, err := All(ctx, q.Embedder, []string{
		"Bread is made of flour, water and salt.", "My car has flat tyres.", "The orchestra plays a symphony tonight.",
		"Interest rates rose again last year.", "Penguins breed on ice in winter.", "A prime number has two divisors.",
	})
	if err != nil {
		return 0, err
	}
	sum, pairs := 0., 0
	for i, a := range vs.Made {
		for _, b := range vs.Made[:i] {
			if a != nil && b != nil {
				sum, pairs = sum+float64(vector.Dot(a, b)), pairs+1
			}
		}
	}
	mean := sum / float64(max(pairs, 1))
	q.mu.Lock()
	q.unrelated = &mean
	q.mu.Unlock()
	return mean, nil
}

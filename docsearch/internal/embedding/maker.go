package embedding

import (
	"context"
	"fmt"
	"sync"

	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/internal/embedding"
	"github.com/findspot/findspot/internal/errs"
)

// A Maker makes vectors with an embedder, and remembers what it knows of it. It is safe for concurrent use.
type Maker struct {
	embedder embedding.Embedder
	docs     *catalog.List
	queries  embedding.Queries

	mu   sync.Mutex // guards what follows
	size int        // numbers of the vectors that the library holds under the embedder's name; 0: not known
}

// New returns a maker for the documents of a library.
func New(e embedding.Embedder, docs *catalog.List) *Maker {
	return &Maker{embedder: e, docs: docs, queries: embedding.Queries{Embedder: e}}
}

// Name is that of the embedder.
func (m *Maker) Name() string { return m.embedder.Name() }

// Make makes vectors of texts. Its error says that the embedder does not work, and that none was made; a text that it does not
// take, or that has no direction, stands in no other's way.
func (m *Maker) Make(ctx context.Context, texts []string) (*embedding.Vectors, error) {
	vs, err := embedding.All(ctx, m.embedder, texts)
	if err == nil {
		err = m.fits(ctx, vs.Size)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return vs, nil
}

// fits compares the size of vectors, 0 for none, with that of those which the library holds under the name of their embedder.
func (m *Maker) fits(ctx context.Context, size int) error {
	m.mu.Lock()
	have := m.size
	m.mu.Unlock()
	if have == 0 {
		c, err := m.docs.Current(ctx)
		if err != nil {
			return err
		}
		have = c.VectorSize(m.Name())
	}
	if size == 0 {
		return nil
	}
	if have != 0 && have != size {
		return fmt.Errorf("embedder %s: %w: its vectors have %d numbers, but those stored under this name have %d: give the other model another name, and its vectors are created again",
			m.Name(), errs.Unsupported, size, have)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.size = size
	return nil
}

// Query returns the vector of a query, which is nil when the query has no direction.
func (m *Maker) Query(ctx context.Context, query string) ([]float32, error) {
	v, err := m.queries.Vector(ctx, query)
	if err == nil && v != nil {
		err = m.fits(ctx, len(v))
	}
	if err != nil {
		return nil, err
	}
	return v, nil
}

// Unrelated is the mean cosine of texts that have nothing in common.
func (m *Maker) Unrelated(ctx context.Context) (float64, error) { return m.queries.Unrelated(ctx) }

package codegraph

import (
	"context"
	"fmt"
	"sync"

	"github.com/findspot/findspot/codegraph/internal/factpool"
	"github.com/findspot/findspot/codegraph/internal/snapshot"
	"github.com/findspot/findspot/codegraph/internal/vectors"
)

// An Embedder turns texts into vectors whose directions are near where the texts mean something alike. It is docsearch.Embedder, with the same
// rules, and may have its EmbedQueries. It is safe for concurrent use.
type Embedder interface {
	Name() string
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// views are what [Index.With] gave, by the names of their embedders.
type views struct {
	mu     sync.Mutex // guards what follows
	of     map[string]*Index
	closed bool
}

func (v *views) close() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.closed = true
	for _, ix := range v.of {
		if ix.vectors != nil {
			ix.vectors.Close()
		}
	}
}

// With gives the index as it is with another embedder, or with nil without one: the same graphs, files and lock, for a caller among several. The same embedder, by
// its name, gives the same index again; its vectors are made until the index is closed. Closing what With gives closes nothing.
func (ix *Index) With(e Embedder) *Index {
	name := ""
	if e != nil {
		name = e.Name()
	}
	v := &ix.base.views
	v.mu.Lock()
	defer v.mu.Unlock()
	if have := v.of[name]; have != nil {
		return have
	}
	out := &Index{ix: ix.ix, opt: ix.opt, embedded: ix.base.embedded, base: ix.base}
	v.of[name] = out
	if e != nil {
		out.embedBy(e)
		if v.closed {
			out.vectors.Close()
		}
	}
	return out
}

// embedder is the name of the embedder, "" for none.
func (ix *Index) embedder() string {
	if ix.vectors == nil {
		return ""
	}
	return ix.vectors.Embedder()
}

// embedBy gives the index an embedder.
func (ix *Index) embedBy(e Embedder) {
	var pool *factpool.Pool
	if ix.opt.Facts != "" {
		pool = &factpool.Pool{Dir: ix.opt.Facts, Size: factpool.PoolSize, Logger: ix.opt.Logger, Trust: ix.opt.TrustIndex}
	}
	ix.vectors = vectors.New(e, pool, ix.opt.Logger)
	ix.Graph()
}

// follow makes the missing vectors of a graph in the background, where this process keeps the index.
func (ix *Index) follow(g *snapshot.Graph) {
	if ix.vectors != nil && !ix.opt.ReadOnly {
		ix.vectors.Follow(g)
	}
}

// Embed makes the vectors that are missing, and returns when none is. It ends with the first error of the embedder; what was made till then is kept. An
// index without an embedder is an error wrapping [ErrUnsupported].
func (ix *Index) Embed(ctx context.Context) error {
	if ix.vectors == nil {
		return noEmbedder()
	}
	return ix.vectors.Fill(ctx, ix.Graph().s, ix.embedded)
}

// An EmbedState says how far the making of vectors is.
type EmbedState struct {
	Entities int    `json:"entities"`        // functions and classes that are to have vectors
	Done     int    `json:"done"`            // those that have
	Running  bool   `json:"running"`         // vectors are being made in the background
	Error    string `json:"error,omitempty"` // why they cannot be at the moment; it is tried again
}

// EmbedState returns how far the making of vectors is. An index without an embedder is an error wrapping [ErrUnsupported].
func (ix *Index) EmbedState() (*EmbedState, error) {
	if ix.vectors == nil {
		return nil, noEmbedder()
	}
	st := &EmbedState{}
	st.Done, st.Entities = ix.vectors.Count(ix.Graph().s)
	running, err := ix.vectors.State()
	if st.Running = running; err != nil {
		st.Error = err.Error()
	}
	return st, nil
}

func noEmbedder() error {
	return fmt.Errorf("codegraph: %w: the index was opened without an embedder", ErrUnsupported)
}

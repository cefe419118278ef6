package codegraph

import (
	"context"
	"fmt"

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

// embedWith gives the index the embedder of its options.
func (ix *Index) embedWith(o *Options) {
	ix.embedded = func(string, int, int) {}
	if progress := o.Progress; progress != nil {
		ix.embedded = func(path string, done, all int) { progress(Progress{path, done, all, "embed"}) }
	}
	var pool *factpool.Pool
	if ix.opt.Facts != "" {
		pool = &factpool.Pool{Dir: ix.opt.Facts, Size: factpool.PoolSize, Logger: ix.opt.Logger, Trust: ix.opt.TrustIndex}
	}
	ix.vectors = vectors.New(o.Embedder, pool, ix.opt.Logger)
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

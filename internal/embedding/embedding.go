package embedding

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/vector"
)

// An Embedder is docsearch.Embedder and codegraph.Embedder.
type Embedder interface {
	Name() string
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// A queryEmbedder is docsearch.QueryEmbedder.
type queryEmbedder interface {
	EmbedQueries(ctx context.Context, texts []string) ([][]float32, error)
}

const (
	embedTexts   = 64      // texts of a call
	embedBytes   = 1 << 20 // of a call, unless one text alone has more
	embedCalls   = 4       // at a time
	embedTimeout = 5 * time.Minute
	embedAgain   = 200 * time.Millisecond // before a call that failed is tried once more
	maxDimension = 16 << 10
)

// Vectors are what an embedder made of texts.
type Vectors struct {
	Made    [][]float32 // nil where there is none
	Missing []bool      // the embedder does not take the text, while others have no direction
	Refused error       // of the first of those
	Size    int         // numbers of each; 0: there is none
}

// All makes vectors of texts, of length one. Its error says that the embedder does not work, and that none was made; a text that it does not
// take, or that has no direction, stands in no other's way.
func All(ctx context.Context, e Embedder, texts []string) (*Vectors, error) {
	out := &Vectors{Made: make([][]float32, len(texts)), Missing: make([]bool, len(texts))}
	refusals := make([]error, len(texts))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(embedCalls)
	for at := 0; at < len(texts); {
		n, size := 0, 0
		for at+n < len(texts) && n < embedTexts && (n == 0 || size+len(texts[at+n]) <= embedBytes) {
			size += len(texts[at+n])
			n++
		}
		from, to := at, at+n
		at = to
		g.Go(func() error { return embedPart(gctx, e, texts[from:to], out.Made[from:to], refusals[from:to]) })
	}
	if err := g.Wait(); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return nil, err
	}
	for i, v := range out.Made {
		if out.Missing[i] = refusals[i] != nil; out.Missing[i] && out.Refused == nil {
			out.Refused = refusals[i]
		}
		switch {
		case v == nil:
		case out.Size == 0:
			out.Size = len(v)
		case out.Size != len(v):
			return nil, fmt.Errorf("embedder %s: %w: vectors of %d and of %d numbers", e.Name(), errs.Format, out.Size, len(v))
		}
	}
	return out, nil
}

// embedPart makes vectors of texts that go together. Where the embedder does not take them, each half is tried alone.
func embedPart(ctx context.Context, e Embedder, texts []string, made [][]float32, refusals []error) error {
	vs, err := embedOnce(ctx, e, texts)
	if err != nil && ctx.Err() == nil && !errors.Is(err, errs.Unsupported) {
		timer := time.NewTimer(embedAgain)
		defer timer.Stop()
		select {
		case <-timer.C:
			vs, err = embedOnce(ctx, e, texts)
		case <-ctx.Done():
		}
	}
	switch {
	case err == nil:
		copy(made, vs)
		return nil
	case !errors.Is(err, errs.Unsupported):
		return err
	case len(texts) == 1:
		refusals[0] = err
		return nil
	}
	half := len(texts) / 2
	if err := embedPart(ctx, e, texts[:half], made[:half], refusals[:half]); err != nil {
		return err
	}
	return embedPart(ctx, e, texts[half:], made[half:], refusals[half:])
}

// embedOnce calls the embedder and does not believe it.
func embedOnce(ctx context.Context, e Embedder, texts []string) ([][]float32, error) {
	ctx, cancel := context.WithTimeout(ctx, embedTimeout)
	defer cancel()
	vs, err := e.Embed(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("embedder %s: %w", e.Name(), err)
	}
	return units(e, vs, len(texts))
}

// units checks what an embedder gave and returns it with length one; a vector that is all zero becomes nil.
func units(e Embedder, vs [][]float32, want int) ([][]float32, error) {
	if len(vs) != want {
		return nil, fmt.Errorf("embedder %s: %w: %d vectors for %d texts", e.Name(), errs.Format, len(vs), want)
	}
	out := make([][]float32, len(vs))
	for i, v := range vs {
		switch {
		case len(v) == 0 || len(v) > maxDimension:
			return nil, fmt.Errorf("embedder %s: %w: a vector of %d numbers", e.Name(), errs.Format, len(v))
		case len(v) != len(vs[0]):
			return nil, fmt.Errorf("embedder %s: %w: vectors of %d and of %d numbers", e.Name(), errs.Format, len(vs[0]), len(v))
		}
		zero := true
		for _, x := range v {
			zero = zero && x == 0
		}
		u, ok := vector.Unit(v)
		if !ok && !zero {
			return nil, fmt.Errorf("embedder %s: %w: a vector with numbers that are infinite or none", e.Name(), errs.Format)
		}
		out[i] = u
	}
	return out, nil
}

// Query makes the vector of a query, nil when it has no direction.
func Query(ctx context.Context, e Embedder, query string) ([]float32, error) {
	ctx, cancel := context.WithTimeout(ctx, embedTimeout)
	defer cancel()
	embed := e.Embed
	if q, ok := e.(queryEmbedder); ok {
		embed = q.EmbedQueries
	}
	vs, err := embed(ctx, []string{query})
	if err != nil {
		return nil, fmt.Errorf("embedder %s: %w", e.Name(), err)
	}
	if vs, err = units(e, vs, 1); err != nil {
		return nil, err
	}
	return vs[0], nil
}

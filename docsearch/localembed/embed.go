package localembed

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/localembed/internal/bert"
	"github.com/findspot/findspot/internal/vector"
)

// batchTokens is how many tokens are computed together, or a little more: enough that weights are read once for many, and so few that what lies between
// two layers stays in the cache.
const batchTokens = 256

// Embed returns the vectors of passages, in their order, each of length one. It ends between two layers when the context does, with its error.
func (m *Model) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return m.embed(ctx, m.before[0], texts)
}

// EmbedQueries returns the vectors of queries, in their order, as Embed does.
func (m *Model) EmbedQueries(ctx context.Context, texts []string) ([][]float32, error) {
	return m.embed(ctx, m.before[1], texts)
}

// A window is part of a text.
type window struct {
	text   int // its index
	ids    []int32
	weight float32 // the share of the text
}

func (m *Model) embed(ctx context.Context, before []int32, texts []string) ([][]float32, error) {
	batches, err := m.batches(ctx, before, texts)
	if err != nil {
		return nil, err
	}
	vectors := make([][][]float32, len(batches))
	g, inner := errgroup.WithContext(ctx)
	for i, batch := range batches {
		space, ok := m.acquire(inner)
		if !ok {
			break
		}
		g.Go(func() (err error) {
			defer func() { m.threads <- space }()
			ids := make([][]int32, len(batch))
			for i := range batch {
				ids[i] = batch[i].ids
			}
			vectors[i], err = m.net.Run(inner, space, ids, m.pooling)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := make([][]float32, len(texts))
	for i := range out {
		out[i] = make([]float32, m.config.Hidden)
	}
	for i, batch := range batches {
		for j, w := range batch {
			for k, x := range vectors[i][j] {
				out[w.text][k] += w.weight * x
			}
		}
	}
	for i, v := range out {
		unit, ok := vector.Unit(v)
		if !ok {
			return nil, fmt.Errorf("model %s: %w: it gives text %d a vector without a direction", m.name, docsearch.ErrUnsupported, i)
		}
		out[i] = unit
	}
	return out, nil
}

// acquire waits for a place among those that compute, or the end of the context.
func (m *Model) acquire(ctx context.Context) (*bert.Workspace, bool) {
	select {
	case space := <-m.threads:
		return space, true
	case <-ctx.Done():
		return nil, false
	}
}

// batches returns the windows of texts, in their order, as they are computed together.
func (m *Model) batches(ctx context.Context, before []int32, texts []string) ([][]window, error) {
	var out [][]window
	tokens := batchTokens
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, w := range m.windows(before, text) {
			w.text = i
			if tokens >= batchTokens {
				out, tokens = append(out, nil), 0
			}
			last := &out[len(out)-1]
			*last, tokens = append(*last, w), tokens+len(w.ids)
		}
	}
	return out, nil
}

// windows cuts a text into parts of like length that each have room with what stands around it.
func (m *Model) windows(before []int32, text string) []window {
	after := m.tokenizer.After
	ids := m.tokenizer.Encode(text)
	room := m.opt.MaxTokens - len(before) - len(after)
	if m.opt.Truncate && len(ids) > room {
		ids = ids[:room]
	}
	n := max((len(ids)+room-1)/room, 1)
	out := make([]window, n)
	for i := range out {
		part := ids[i*len(ids)/n : (i+1)*len(ids)/n]
		out[i] = window{ids: slices.Concat(before, part, after), weight: float32(len(part)+1) / float32(len(ids)+n)}
	}
	return out
}

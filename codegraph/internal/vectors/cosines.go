package vectors

import (
	"context"
	"fmt"
	"slices"

	"github.com/findspot/findspot/codegraph/internal/snapshot"
	"github.com/findspot/findspot/internal/errs"
)

// Direction gives the vector of a question, of length one; nil when it has none. Its error is that of the embedder, or of ctx.
func (x *Index) Direction(ctx context.Context, question string) ([]float32, error) {
	return x.queries.Vector(ctx, question)
}

// Unrelated is the mean cosine of texts that have nothing in common. Its error is as that of Direction.
func (x *Index) Unrelated(ctx context.Context) (float64, error) { return x.queries.Unrelated(ctx) }

// Cosines gives for each entity that keep takes the cosine of its vector and a direction, in the graph's order. What has no vector is left out. Its error
// wraps errs.Unsupported where vectors that are kept under the embedder's name have another length.
func (x *Index) Cosines(g *snapshot.Graph, direction []float32, keep func(uint32) bool) (out []Scored, err error) {
	for _, e := range x.files(g) {
		if e.file == nil || e.file.size == 0 {
			continue
		}
		if err := x.comparable(e.file, direction); err != nil {
			return nil, err
		}
		for i, n := range e.nodes {
			if e.file.scales[i] > 0 && keep(n) {
				out = append(out, Scored{n, e.file.cosine(i, direction)})
			}
		}
	}
	return out, nil
}

// files are those of a graph, with the vectors that are there.
func (x *Index) files(g *snapshot.Graph) []entities {
	v := x.of(g)
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Clone(v.files)
}

// comparable reports vectors of another length than a direction as an error.
func (x *Index) comparable(f *file, direction []float32) error {
	if f.size == len(direction) {
		return nil
	}
	return fmt.Errorf("embedder %s: %w: its vectors have %d numbers, but those kept under this name have %d: give the other model another name",
		x.embedder.Name(), errs.Unsupported, len(direction), f.size)
}

package embedding

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
)

// narrow is a model whose vectors all lie around one direction: those of two texts have a cosine of .5, unless they are the same.
type narrow struct {
	calls int
	fail  error
	seen  map[string]int
}

func (n *narrow) Name() string { return "narrow" }

func (n *narrow) Embed(_ context.Context, texts []string) ([][]float32, error) {
	n.calls++
	if n.fail != nil {
		return nil, n.fail
	}
	var out [][]float32
	for _, t := range texts {
		if _, ok := n.seen[t]; !ok {
			n.seen[t] = len(n.seen) + 1
		}
		v := make([]float32, 32)
		v[0], v[n.seen[t]] = 1, 1
		out = append(out, v)
	}
	return out, nil
}

func TestUnrelated(t *testing.T) {
	e := &narrow{seen: map[string]int{}, fail: errors.New("no route to host")}
	q := Queries{Embedder: e}
	if _, err := q.Unrelated(t.Context()); err == nil || !strings.Contains(err.Error(), "no route to host") {
		t.Errorf("Unrelated = %v, want the embedder's error", err)
	}
	e.fail, e.calls = nil, 0
	for range 2 {
		if got, err := q.Unrelated(t.Context()); err != nil || math.Abs(got-.5) > 1e-6 {
			t.Errorf("Unrelated = %v, %v, want .5", got, err)
		}
	}
	if e.calls != 1 {
		t.Errorf("the embedder was asked %d times, want once", e.calls)
	}
}

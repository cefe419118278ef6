package vector

import (
	"container/heap"
	"math"
)

// A Near is something with its score.
type Near struct {
	Score float32
	ID    uint32 // of two with one score the lower one comes first
	At    uint32 // where it is: the caller's
}

func (a Near) before(b Near) bool { return a.Score > b.Score || a.Score == b.Score && a.ID < b.ID }

// A Top keeps the nearest of what it is shown, up to a limit. The zero value keeps none.
type Top struct {
	Limit int
	heap  furthest
}

// furthest is a heap with the one on top that comes last.
type furthest []Near

func (f furthest) Len() int           { return len(f) }
func (f furthest) Less(i, j int) bool { return f[j].before(f[i]) }
func (f furthest) Swap(i, j int)      { f[i], f[j] = f[j], f[i] }
func (f *furthest) Push(x any)        { *f = append(*f, x.(Near)) }

func (f *furthest) Pop() any {
	last := (*f)[len(*f)-1]
	*f = (*f)[:len(*f)-1]
	return last
}

// Add shows it one, and returns the lowest score with which another may still be kept.
func (t *Top) Add(n Near) float32 {
	switch {
	case len(t.heap) < t.Limit:
		heap.Push(&t.heap, n)
	case t.Limit > 0 && n.before(t.heap[0]):
		t.heap[0] = n
		heap.Fix(&t.heap, 0)
	}
	switch {
	case t.Limit <= 0:
		return float32(math.Inf(1))
	case len(t.heap) < t.Limit:
		return float32(math.Inf(-1))
	}
	return t.heap[0].Score
}

// Take returns what it holds, nearest first, and empties it.
func (t *Top) Take() []Near {
	out := make([]Near, len(t.heap))
	for i := len(out) - 1; i >= 0; i-- {
		out[i] = heap.Pop(&t.heap).(Near)
	}
	return out
}

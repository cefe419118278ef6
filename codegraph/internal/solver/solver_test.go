package solver

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/findspot/findspot/codegraph/internal/value"
)

func never() error { return nil }

// A network is a graph in which values flow along edges, with a cell for each node.
type network struct {
	*Solver
	cells []ID
	own   [][]value.Value
	from  [][]int
}

func newNetwork(n int, shuffle func(n int, swap func(i, j int))) *network {
	w := &network{Solver: New(shuffle), own: make([][]value.Value, n), from: make([][]int, n)}
	kind := w.Define(Rule{Eager: true, Compute: func(c *Cell) []value.Value {
		out := w.own[c.Arg]
		for _, i := range w.from[c.Arg] {
			out = value.Union(out, w.Read(w.cells[i])...)
		}
		return out
	}})
	for i := range n {
		w.cells = append(w.cells, w.Add(kind, 0, int32(i)))
	}
	return w
}

func (w *network) solve(t *testing.T) {
	t.Helper()
	for _, id := range w.cells {
		w.Read(id)
	}
	if err := w.Solve(never); err != nil {
		t.Fatal(err)
	}
}

// check compares the solution with what a walk from each source reaches.
func (w *network) check(t *testing.T) {
	t.Helper()
	for i := range w.cells {
		var want []value.Value
		seen := map[int]bool{}
		var walk func(i int)
		walk = func(i int) {
			if seen[i] {
				return
			}
			seen[i] = true
			want = value.Union(want, w.own[i]...)
			for _, j := range w.from[i] {
				walk(j)
			}
		}
		walk(i)
		if got := w.Read(w.cells[i]); !value.Equal(got, want) {
			t.Fatalf("node %d holds %v, want %v", i, got, want)
		}
	}
}

// Values must reach everything that they flow to, round circles too, in whatever order the cells are computed; and after an edit
// nothing may hold itself up in a circle.
func TestSolveAndForget(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		const n = 20
		w := newNetwork(n, func(n int, swap func(i, j int)) { swap(0, r.IntN(n)) })
		for range 30 {
			i := r.IntN(n)
			w.from[i] = append(w.from[i], r.IntN(n))
		}
		for i := range 6 {
			w.own[r.IntN(n)] = []value.Value{{Kind: value.Class, A: int32(i)}}
		}
		w.solve(t)
		w.check(t)
		for range 5 {
			i := r.IntN(n)
			w.own[i] = nil
			if len(w.from[i]) > 0 {
				w.from[i] = w.from[i][1:]
			}
			stale := w.NewCone()
			stale.Add(w.cells[i])
			stale.Forget()
			w.Compact()
			w.solve(t)
			w.check(t)
		}
	}
}

// A cell without a value stands for what is read beside it: its readers are computed again when that changes.
func TestTouch(t *testing.T) {
	s := New(nil)
	n := int32(1)
	token := s.Add(s.Define(Rule{}), 0, 0)
	reader := s.Add(s.Define(Rule{Compute: func(*Cell) []value.Value {
		s.Depend(token)
		return []value.Value{{Kind: value.Func, A: n}}
	}}), 0, 0)
	s.Read(reader)
	n = 2
	if got := s.Read(reader)[0].A; got != 1 {
		t.Fatalf("computed again though nothing says that it changed: %d", got)
	}
	s.Touch(token)
	if s.Idle() {
		t.Error("nothing is to be done after a change")
	}
	if err := s.Solve(never); err != nil {
		t.Fatal(err)
	}
	if got := s.Read(reader)[0].A; got != 2 {
		t.Errorf("after the change %d", got)
	}
}

// Late cells are computed when all others are done; dead ones give nothing.
func TestLateAndDead(t *testing.T) {
	s := New(nil)
	var order []int32
	note := func(c *Cell) []value.Value { order = append(order, c.Arg); return []value.Value{{A: c.Arg}} }
	late, soon := s.Define(Rule{Compute: note, Late: true}), s.Define(Rule{Compute: note})
	s.Enqueue(s.Add(late, 0, 1))
	s.Enqueue(s.Add(soon, 0, 2))
	gone := s.Add(soon, 0, 3)
	s.Enqueue(gone)
	s.Kill(gone)
	if err := s.Solve(never); err != nil {
		t.Fatal(err)
	}
	if len(order) != 2 || order[0] != 2 || order[1] != 1 {
		t.Errorf("computed in the order %v, want 2 and then 1", order)
	}
	if got := s.Read(gone); len(got) != 0 {
		t.Errorf("a dead cell holds %v", got)
	}
}

// A circle with a negation has no least solution; the solver must come to rest and say that there is one.
func TestCircleWithNegation(t *testing.T) {
	s := New(nil)
	var a ID
	kind := s.Define(Rule{Compute: func(c *Cell) []value.Value {
		if len(s.Read(a)) > 0 {
			return nil
		}
		return []value.Value{{Kind: value.Class}}
	}})
	a = s.Add(kind, 0, 0)
	b := s.Add(kind, 0, 1)
	aKind := s.Define(Rule{Compute: func(*Cell) []value.Value { return s.Read(b) }})
	s.Cell(a).Kind = aKind
	s.Read(a)
	if err := s.Solve(never); err != nil {
		t.Fatal(err)
	}
	if s.Circles() == 0 {
		t.Error("no circle is noted")
	}
}

func TestSolveStops(t *testing.T) {
	s, stop := New(nil), errors.New("stop")
	s.Enqueue(s.Add(s.Define(Rule{Compute: func(*Cell) []value.Value { return nil }}), 0, 0))
	if err := s.Solve(func() error { return stop }); !errors.Is(err, stop) {
		t.Errorf("Solve = %v, want what stop says", err)
	}
}

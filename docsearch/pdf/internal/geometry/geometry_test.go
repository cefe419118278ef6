package geometry

import (
	"math"
	"slices"
	"testing"
)

func TestMatrix(t *testing.T) {
	turn := Matrix{0, 1, -1, 0, 0, 0}
	m := Matrix{2, 0, 0, 3, 10, 20}.Mul(turn)
	if x, y := m.Apply(1, 1); x != -23 || y != 12 {
		t.Errorf("scaled, moved and turned: %v, %v; want -23, 12", x, y)
	}
	back, ok := m.Inverse()
	if !ok {
		t.Fatal("no inverse")
	}
	if x, y := back.Apply(-23, 12); math.Abs(x-1) > 1e-12 || math.Abs(y-1) > 1e-12 {
		t.Errorf("back: %v, %v; want 1, 1", x, y)
	}
	if _, ok := (Matrix{1, 2, 2, 4, 0, 0}).Inverse(); ok {
		t.Error("a matrix that makes a line of the plane has an inverse")
	}
	if (Matrix{1, 0, 0, 1, math.NaN(), 0}).Finite() || (Matrix{1e10, 0, 0, 1, 0, 0}).Finite() || !m.Finite() {
		t.Error("Finite errs")
	}
	if got, want := turn.Box(0, 0, 2, 1), NewRect(-1, 0, 0, 2); got != want {
		t.Errorf("Box: %v, want %v", got, want)
	}
	skew, other := Matrix{2, 3, 5, 7, 11, 13}, Matrix{17, 19, 23, 29, 31, 37}
	if got, want := skew.Mul(other), (Matrix{103, 125, 246, 298, 517, 623}); got != want {
		t.Errorf("Mul: %v, want %v", got, want)
	}
	m = Identity()
	if m.Shift(3, 4); m != (Matrix{1, 0, 0, 1, 3, 4}) {
		t.Errorf("Shift: %v", m)
	}
}

func TestRect(t *testing.T) {
	a, b, c := NewRect(0, 0, 4, 4), NewRect(4, 1, 6, 3), NewRect(3, 3, 5, 5)
	if a.Overlaps(b) || !a.Touches(b) || !a.Overlaps(c) || !c.OverlapsAny([]Rect{b, a}) || b.OverlapsAny([]Rect{a}) {
		t.Error("boxes side by side touch and do not overlap")
	}
	if a.Misses(NewRect(4.05, 0, 5, 1)) || !a.Misses(NewRect(4.2, 0, 5, 1)) {
		t.Error("a hair is a tenth of a point")
	}
	if !a.HasMiddle(NewRect(0, 0, 8, 8)) || a.HasMiddle(NewRect(0, 0, 9, 8)) {
		t.Error("HasMiddle errs at the edge")
	}
	if !Empty().IsEmpty() || Empty().Add(1, 2) != NewRect(1, 2, 1, 2) || Empty().Union(a) != a || !a.Intersect(NewRect(5, 5, 6, 6)).IsEmpty() {
		t.Error("the empty box is no neutral element")
	}
	if !(Rect{X0: 1, X1: 0, Y1: 1}).IsEmpty() || !(Rect{X1: 1, Y0: 1, Y1: 0}).IsEmpty() {
		t.Error("a box that one axis has nothing of is empty")
	}
	if got, want := NewRect(1.006, 2.004, 3, 4).Round(), NewRect(1.01, 2, 3, 4); got != want {
		t.Errorf("Round: %v, want %v", got, want)
	}
}

func TestMedian(t *testing.T) {
	xs := []float64{3, 1, 2, 9}
	if got := Median(xs, 0); got != 3 || !slices.IsSorted(xs) {
		t.Errorf("Median: %v of %v", got, xs)
	}
	if Median(nil, 7) != 7 || Em(nil) != 10 || Em([]float64{1}) != 4 || Em([]float64{90, 90}) != 40 {
		t.Error("bounds and defaults")
	}
}

func TestSets(t *testing.T) {
	s := NewSets(5)
	s.Join(4, 2)
	s.Join(2, 3)
	if s.Find(4) != 2 || s.Find(3) != 2 || s.Find(0) != 0 {
		t.Errorf("sets %v", s)
	}
	if s.Join(0, 4); s.Find(3) != 0 || s.Find(1) != 1 {
		t.Errorf("sets %v", s)
	}
}

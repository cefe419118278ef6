package mro

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLinear(t *testing.T) {
	const a, b, c, d, e = 1, 2, 3, 4, 5
	orderA := Alone(a)
	orderB, orderC := Linear(b, []int32{a}, []*Order{orderA}), Linear(c, []int32{a}, []*Order{orderA})
	tests := []struct {
		name  string
		bases []int32
		above []*Order
		want  []int32
	}{
		{"no bases", nil, nil, []int32{d}},
		{"a diamond", []int32{b, c}, []*Order{orderB, orderC}, []int32{d, b, c, a}},
		{"bases that contradict one another", []int32{e, a, b}, []*Order{Alone(e), orderA, orderB}, []int32{d, e, a, b}},
		{"under itself", []int32{b}, []*Order{{Classes: []int32{b, d}}}, []int32{d, b}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, Linear(d, tt.bases, tt.above).Classes); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	if diff := cmp.Diff([]int32{b, a}, orderB.Classes); diff != "" {
		t.Errorf("the order of a base was changed (-want +got):\n%s", diff)
	}
}

func TestNearest(t *testing.T) {
	leaf := &Order{Classes: []int32{9}, Depth: []int32{0}, Open: true}
	deep := Nearest(2, []*Order{leaf})
	flat := &Order{Classes: []int32{3}, Depth: []int32{0}}
	got := Nearest(1, []*Order{deep, flat})
	if diff := cmp.Diff(&Order{Classes: []int32{1, 2, 3, 9}, Depth: []int32{0, 1, 1, 2}, Open: true}, got); diff != "" {
		t.Errorf("what is less deep comes first (-want +got):\n%s", diff)
	}
	var many []*Order
	for i := range int32(2 * maxAbove) {
		many = append(many, Alone(i+10))
	}
	if got := Nearest(1, many); len(got.Classes) != maxAbove || len(got.Depth) != maxAbove || !got.Open {
		t.Errorf("of %d bases %d are kept, open %v", len(many), len(got.Classes), got.Open)
	}
}

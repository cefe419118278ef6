package locscore

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOf(t *testing.T) {
	got := Of([]string{"a/b.py:Reader.open", "c.py", "a/b.py:Reader.__init__", "a/b.py:Reader.close", "a/b.py:Reader.open", "d.py:f.inner"})
	want := Places{
		File:     {"a/b.py", "c.py", "d.py"},
		Module:   {"a/b.py:Reader", "d.py:f"},
		Function: {"a/b.py:Reader.open", "a/b.py:Reader", "a/b.py:Reader.close", "d.py:f.inner"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestMeasure compares with values worked out by hand.
func TestMeasure(t *testing.T) {
	log3 := 1 / math.Log2(3) // the discount of the second place
	for name, tt := range map[string]struct {
		right, found []string
		k            int
		acc, any, nd float64
	}{
		"first":                        {[]string{"a"}, []string{"a", "b"}, 1, 1, 1, 1},
		"second of one":                {[]string{"a"}, []string{"b", "a"}, 1, 0, 0, 0},
		"second of two":                {[]string{"a"}, []string{"b", "a"}, 2, 1, 1, log3},
		"one of two":                   {[]string{"a", "c"}, []string{"c", "b"}, 2, 0, 1, 1 / (1 + log3)},
		"both of two":                  {[]string{"a", "c"}, []string{"c", "a"}, 2, 1, 1, 1},
		"more are right than k":        {[]string{"a", "c", "d"}, []string{"c"}, 1, 1, 1, 1},
		"found twice counts once":      {[]string{"a", "c"}, []string{"a", "a"}, 2, 0, 1, 1 / (1 + log3)},
		"fewer found than k":           {[]string{"a"}, nil, 5, 0, 0, 0},
		"behind the first k is no hit": {[]string{"a"}, []string{"b", "c", "a"}, 2, 0, 0, 0},
	} {
		got, err := Measure(map[string]Places{"x": {File: tt.right}}, map[string]Places{"x": {File: tt.found}, "y": {File: {"z"}}}, tt.k)
		if err != nil || len(got) != 3 {
			t.Fatal(got, err)
		}
		s := got[0]
		if s.Level != File || s.Issues != 1 || s.Acc != tt.acc || s.Any != tt.any || math.Abs(s.NDCG-tt.nd) > 1e-12 {
			t.Errorf("%s: %v", name, s)
		}
		if got[1].Issues != 0 || got[2].Acc != 0 {
			t.Errorf("%s: levels without anything to find: %v", name, got[1:])
		}
	}
	gold := map[string]Places{"x": Of([]string{"a.py:f"}), "y": Of([]string{"b.py"})}
	got, err := Measure(gold, map[string]Places{"x": Of([]string{"a.py:f"})})
	if err != nil || len(got) != 7 {
		t.Fatal(got, err)
	}
	if s := got[0]; s.Issues != 2 || s.Acc != .5 { // y was not answered
		t.Errorf("files: %v", s)
	}
	if s := got[6]; s.Level != Function || s.K != 10 || s.Issues != 1 || s.Acc != 1 { // y has no function
		t.Errorf("functions: %v", s)
	}
	if _, err := Measure(nil, nil, 0); err == nil {
		t.Error("a depth of 0")
	}
}

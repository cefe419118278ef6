package listwise_test

import (
	"testing"

	"github.com/findspot/findspot/docs/bench/internal/listwise"
)

// The signal that tells the right items gets the weight, and one that misleads gets the least.
func TestFit(t *testing.T) {
	list := []listwise.Example{
		{Signals: [][]float64{{1, 0, 1}, {0, 1, 1}, {0, 1, 0}}, Right: []int{0}},
		{Signals: [][]float64{{0, 1, 0}, {1, 0, 0}, {.9, 0, 1}}, Right: []int{1, 2}},
	}
	for _, one := range []bool{false, true} {
		w := listwise.Fit(list, listwise.Options{Start: []float64{1, 1, 1}, Pull: .01, Rate: .05, Steps: 300, Any: one})
		if w[0] < 2 || w[1] != 0 || w[2] > w[0] {
			t.Errorf("any %v: %v", one, w)
		}
	}
}

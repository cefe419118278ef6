package fusion

import (
	"math"
	"testing"
)

func TestNearness(t *testing.T) {
	for _, tt := range []struct{ cosine, best, unrelated, want float64 }{
		{.6, .6, 0, 1},
		{.2, .6, 0, .7 / 1.1},   // from -.5
		{.8, .9, .7, .25 / .35}, // from .55: .1 is more where all are near
		{.3, .3, .7, 1},         // even the best is farther than that
		{-1, -1, 0, 1},
		{-.6, .6, 0, 0},
	} {
		if got := Nearness(tt.cosine, tt.best, tt.unrelated); math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("Nearness(%v, %v, %v) = %v, want %v", tt.cosine, tt.best, tt.unrelated, got, tt.want)
		}
	}
}

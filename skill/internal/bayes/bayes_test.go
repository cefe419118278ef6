package bayes

import (
	"math"
	"slices"
	"testing"
)

func TestModel(t *testing.T) {
	m := Learn([]Example{{"tea", []string{"hot", "leaf"}}, {"ice", []string{"cold"}}, {"tea", []string{"hot"}}}, .5)
	if !slices.Equal(m.Classes, []string{"ice", "tea"}) || math.Abs(m.Prior[0]-1./3) > 1e-9 || math.Abs(m.Prior[1]-2./3) > 1e-9 {
		t.Fatalf("classes %q, prior %v", m.Classes, m.Prior)
	}
	if !m.Knows("leaf") || m.Knows("snow") {
		t.Error("leaf is known, snow is not")
	}
	// Three terms: P(cold | ice) = 1.5 / 2.5, P(cold | tea) = .5 / 4.5.
	ice, tea := 1./3*1.5/2.5, 2./3*.5/4.5
	if got := m.Of([]string{"cold", "snow"}, 1); math.Abs(got[0]-ice/(ice+tea)) > 1e-9 || math.Abs(got[0]+got[1]-1) > 1e-9 {
		t.Errorf("cold: %v, want %v for ice", got, ice/(ice+tea))
	}
	if got := m.Of([]string{"cold"}, .5); math.Abs(got[0]-math.Sqrt(ice)/(math.Sqrt(ice)+math.Sqrt(tea))) > 1e-9 {
		t.Errorf("half of the evidence: %v", got)
	}
	if got := Learn(nil, .5).Of([]string{"cold"}, 1); len(got) != 0 {
		t.Errorf("no examples: %v", got)
	}
}

package bayes

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

func lessons() (out []Example) {
	for i := range 40 {
		out = append(out, Example{"tea", []string{"hot", "leaf", fmt.Sprint("tea", i)}}, Example{"ice", []string{"cold", "cream"}}, Example{"ice", []string{"cold", "hot"}})
	}
	return out
}

func TestLinear(t *testing.T) {
	l := LearnLinear(lessons(), .1, 1, .5)
	for _, tt := range []struct {
		terms []string
		best  int
	}{{[]string{"leaf"}, 1}, {[]string{"cream"}, 0}, {[]string{"hot", "leaf"}, 1}, {[]string{"hot", "cold"}, 0}, {[]string{"tea3"}, 0}, {nil, 0}} {
		p := l.Of(tt.terms)
		if len(p) != 2 || math.Abs(p[0]+p[1]-1) > 1e-9 || p[tt.best] < .5 {
			t.Errorf("%q: %v of %q, want %s", tt.terms, p, l.Classes, l.Classes[tt.best])
		}
	}
	if before := l.Of([]string{"leaf"}); !slices.Equal(before, l.Of([]string{"leaf", "tea3"})) {
		t.Error("a term of one example counts")
	}
	if got := LearnLinear(nil, .1, 1, .5).Of([]string{"hot"}); len(got) != 0 {
		t.Errorf("no examples: %v", got)
	}
}

// Naive Bayes is sure too often; with regression it is less so.
func TestRegression(t *testing.T) {
	counted, mixed := LearnLinear(lessons(), .1, 1, 0), LearnLinear(lessons(), .1, 1, .5)
	if a, b := counted.Of([]string{"hot", "cold"})[0], mixed.Of([]string{"hot", "cold"})[0]; b >= a {
		t.Errorf("%v without regression, %v with it", a, b)
	}
}

func TestParseLinear(t *testing.T) {
	l := LearnLinear(lessons(), .1, 1, .5)
	file := l.Append(nil)
	two := l.Append(slices.Clone(file))
	first, rest, err := ParseLinear(two)
	if err != nil || !slices.Equal(rest, file) {
		t.Fatal(err, len(rest))
	}
	if term, units := l.Differs(first); units != 0 {
		t.Errorf("%q differs by %d", term, units)
	}
	if a, b := l.Of([]string{"hot"}), first.Of([]string{"hot"}); math.Abs(a[0]-b[0]) > 1e-6 {
		t.Errorf("%v, read %v", a, b)
	}
	for n := range file {
		if _, _, err := ParseLinear(file[:n]); err == nil {
			t.Fatalf("no error for %d of %d bytes", n, len(file))
		}
	}
	other := LearnLinear(append(lessons(), Example{"tea", []string{"pot"}}, Example{"ice", []string{"pot"}}), .1, 1, .5)
	term, units := l.Differs(other)
	if term != "pot" || units == 0 {
		t.Errorf("differs at %q by %d", term, units)
	}
	if term, back := other.Differs(l); term != "pot" || back != units {
		t.Errorf("the other way at %q by %d, want %d", term, back, units)
	}
	named := LearnLinear(append(lessons(), Example{"tea", []string{"pot"}}, Example{"ice", []string{"pot"}}), .1, 1, .5)
	named.Classes = []string{"ice", "wine"}
	if _, units := other.Differs(named); units == 0 {
		t.Error("no difference from a model of other classes")
	}
	nudged := LearnLinear(lessons(), .1, 1, .5)
	nudged.weights[slices.Index(nudged.weights, slices.Max(nudged.weights))] -= 5
	_, there := l.Differs(nudged)
	if _, back := nudged.Differs(l); there != 5 || back != 5 {
		t.Errorf("differs by %d and, the other way, by %d, want 5", there, back)
	}
	if _, units := l.Differs(LearnLinear(nil, .1, 1, .5)); units == 0 {
		t.Error("no difference from an empty model")
	}
}

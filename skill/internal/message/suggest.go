package message

import (
	"cmp"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/text"
)

// nearNames returns at most three of the known names that a writer may have meant, nearest first: those a few letters away,
// and those of which the name is a part.
func nearNames(name string, known []string) []string {
	type hit struct {
		name string
		far  int
	}
	var hits []hit
	fold := func(s string) string { return strings.ToLower(strings.NewReplacer("-", "_", " ", "_").Replace(s)) }
	want := fold(name)
	if len(want) > 64 {
		return nil
	}
	for _, k := range known {
		have := fold(k)
		if have == "" || len(have) > 64 {
			continue
		}
		d := text.Distance([]rune(want), []rune(have))
		if d == 2 && sameLetters(want, have) {
			d = 1 // two letters swapped
		}
		most := max(1, min(len(want), len(have))/3)
		switch {
		case d <= most:
			hits = append(hits, hit{k, d})
		case len(want) >= 4 && (strings.Contains(have, want) || strings.Contains(want, have) && len(have) >= 4):
			hits = append(hits, hit{k, 10 + d})
		}
	}
	slices.SortFunc(hits, func(a, b hit) int { return cmp.Or(cmp.Compare(a.far, b.far), cmp.Compare(a.name, b.name)) })
	var out []string
	for _, h := range hits[:min(3, len(hits))] {
		if h.far <= hits[0].far+1 && (h.far == hits[0].far || hits[0].far > 1) {
			out = append(out, h.name)
		}
	}
	return out
}

func sameLetters(a, b string) bool {
	x, y := []byte(a), []byte(b)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// DidYouMean is the way out of a misspelt name, to stand behind an error's text; empty when nothing is near.
func DidYouMean(name string, known []string) string {
	if near := nearNames(name, known); len(near) > 0 {
		return "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return ""
}

package pdftest

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch/pdf/internal/pattern"
)

// pieces are what the expressions of the reader are about.
var pieces = strings.Split("a|b|x|iv|Z|1|2|90|.|..|,|(|)|[|]|:|;| |\t|  |-|–|•|*|…|=|+|′|§|table|Tab.|表|표|Таблица|图|그림|Рис.|FIG|figure|Exhibit|abb.|log|sin|argmax|%|!|12)|a.|[3]", "|")

// ShortTexts yields short texts of the characters that the expressions of the reader are about.
func ShortTexts(yield func(string) bool) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		var b strings.Builder
		for range r.IntN(8) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		if !yield(b.String()) {
			return
		}
	}
}

// CheckPatterns tries short texts: the cheap look of a pattern may let texts through that do not match, but may not keep one
// back that does.
func CheckPatterns(t *testing.T, patterns map[string]pattern.Regexp) {
	t.Helper()
	matched := map[string]bool{}
	for s := range ShortTexts {
		for name, p := range patterns {
			if p.Regexp.MatchString(s) {
				matched[name] = true
				if !p.Maybe(s) {
					t.Fatalf("%s matches %q, but is not tried", name, s)
				}
			}
		}
	}
	for name := range patterns {
		if !matched[name] {
			t.Errorf("no text tried matches %s", name)
		}
	}
}

package pdf

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch/pdf/internal/caption"
	"github.com/findspot/findspot/docsearch/pdf/internal/pattern"
)

// TestPatterns tries short texts of the characters that the expressions are about: the cheap look may let texts through that
// do not match, but may not keep one back that does.
func TestPatterns(t *testing.T) {
	patterns := map[string]pattern.Regexp{
		"tableStart": caption.TableStart, "figureStart": caption.FigureStart, "bulletMark": bulletMark, "orderMark": orderMark, "glyphMark": glyphMark,
		"refMark": refMark, "operatorWord": operatorWord, "numberWord": numberWord, "functionWord": functionWord, "formulaNumber": formulaNumber,
	}
	pieces := strings.Split("a|b|x|iv|Z|1|2|90|.|..|,|(|)|[|]|:|;| |\t|  |-|–|•|*|…|=|+|′|§|table|Tab.|表|표|Таблица|图|그림|Рис.|FIG|figure|Exhibit|abb.|log|sin|argmax|%|!|12)|a.|[3]", "|")
	leader := regexp.MustCompile(`\.{4,}|(?:\s\.){3,}|…{2,}|\s{3,}\d{1,4}$`)
	r := rand.New(rand.NewPCG(1, 2))
	matched := map[string]int{}
	for range 200_000 {
		var b strings.Builder
		for range r.IntN(8) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		s := b.String()
		for name, p := range patterns {
			if p.Regexp.MatchString(s) {
				matched[name]++
				if !p.Maybe(s) {
					t.Fatalf("%s matches %q, but is not tried", name, s)
				}
			}
		}
		if got, want := tocLine.MatchString(s), leader.MatchString(s); got != want {
			t.Fatalf("tocLine.MatchString(%q) = %v, want %v", s, got, want)
		} else if got {
			matched["tocLine"]++
		}
	}
	for name := range patterns {
		if matched[name] == 0 {
			t.Errorf("no text tried matches %s", name)
		}
	}
	if matched["tocLine"] == 0 {
		t.Error("no text tried is a line of contents")
	}
}

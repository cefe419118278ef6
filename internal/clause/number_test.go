package clause

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/internal/lazyregexp"
)

func TestParse(t *testing.T) {
	type out struct {
		N     Number
		Title string
		OK    bool
	}
	for _, tt := range []struct {
		in   string
		want out
	}{
		{"5.3.5.3 Reception of a message", out{Number{"5.3.5.3", Decimal, 4, "", false}, "Reception of a message", true}},
		{"6.2.8.4A Announcing", out{Number{"6.2.8.4A", Decimal, 4, "", false}, "Announcing", true}},
		{"3. Methods", out{Number{"3", Decimal, 1, "", true}, "Methods", true}},
		{"Annex A (normative): Timers", out{Number{"A", Letter, 1, "annex", true}, "Timers", true}},
		{"A.1.2 General", out{Number{"A.1.2", Letter, 3, "", false}, "General", true}},
		{"Appendix B", out{Number{"B", Letter, 1, "appendix", false}, "", true}},
		{"Chapter 3: The sea", out{Number{"3", Decimal, 1, "chapter", true}, "The sea", true}},
		{"Part II", out{Number{"II", Roman, 1, "part", false}, "", true}},
		{"IV. RESULTS", out{Number{"IV", Roman, 1, "", true}, "RESULTS", true}},
		{"B. Notation", out{Number{"B", Letter, 1, "", true}, "Notation", true}},
		{"I. INTRODUCTION", out{Number{"I", Roman, 1, "", true}, "INTRODUCTION", true}},
		{"A model of rivers", out{Number{}, "A model of rivers", false}},
		{"2019 was a good year", out{Number{}, "2019 was a good year", false}},
		{"III-A Attacks", out{Number{"III-A", Roman, 2, "", false}, "Attacks", true}},
		{"References", out{Number{}, "References", false}},
		{"", out{Number{}, "", false}},
	} {
		n, title, ok := Parse(tt.in)
		if diff := cmp.Diff(tt.want, out{n, title, ok}); diff != "" {
			t.Errorf("Parse(%q) (-want +got):\n%s", tt.in, diff)
		}
	}
}

func TestCompare(t *testing.T) {
	order := []string{"1", "1.1", "1.2", "1.2a", "1.10", "2", "10", "A", "A.1", "A.1.1", "A.2", "B"}
	for i, a := range order {
		for j, b := range order {
			x, _, _ := Parse(a + " x")
			y, _, _ := Parse(b + " x")
			if a >= "A" && len(a) == 1 {
				x = Number{Text: a, Kind: Letter, Depth: 1}
			}
			if b >= "A" && len(b) == 1 {
				y = Number{Text: b, Kind: Letter, Depth: 1}
			}
			if got, want := sign(Compare(x, y)), sign(i-j); got != want {
				t.Errorf("Compare(%s, %s) = %d, want %d", a, b, got, want)
			}
		}
	}
	if Compare(Number{Text: "IX", Kind: Roman}, Number{Text: "VIII", Kind: Roman}) <= 0 {
		t.Error("IX comes after VIII")
	}
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

func TestKey(t *testing.T) {
	for _, tt := range [][2]string{{"Annex A", "a"}, {"A", "a"}, {"5.3.", "5.3"}, {"clause 5.3", "5.3"}, {"References", "references"}, {"Chapter 3", "3"}} {
		if got := Key(tt[0]); got != tt[1] {
			t.Errorf("Key(%q) = %q, want %q", tt[0], got, tt[1])
		}
	}
}

// TestLook tries short texts of what numbers are made of: the first look at them keeps none back that an expression matches.
func TestLook(t *testing.T) {
	pieces := strings.Split("1|23|A|I|IV|X|Z|a|.|)|:| |  |§|annex|Chapter|CLAUSE|teil|Section|ſection|\u212aapitel|capítulo|CAPÍTULO|title", "|")
	r := rand.New(rand.NewPCG(1, 2))
	n := 0
	for range 200_000 {
		var b strings.Builder
		for range r.IntN(6) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		s := strings.TrimSpace(b.String())
		for form, re := range map[likeness]*lazyregexp.Regexp{likeWord: worded, likeDecimal: decimal, likeLetter: letter, likeRoman: roman} {
			if re.MatchString(s) {
				if n++; look(s)&form == 0 {
					t.Fatalf("%v matches %q, but is not tried", re, s)
				}
			}
		}
	}
	if n == 0 {
		t.Error("nothing matched")
	}
}

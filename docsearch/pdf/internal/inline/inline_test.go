package inline

import (
	"testing"

	"github.com/findspot/findspot/internal/hyphen"
	"github.com/google/go-cmp/cmp"
)

func TestRender(t *testing.T) {
	const b, i, m, x, sup, sub = Bold, Italic, Mono, Math, Superscript, Subscript
	for _, tt := range []struct {
		name string
		in   []Span
		want string
	}{
		{"plain", []Span{{"a word, and 2 * 3 < 4 $ for R&D; x_1", 0}}, `a word, and 2 \* 3 < 4 \$ for R\&D; x_1`},
		{"emphasis", []Span{{"It is ", 0}, {"very ", b}, {"(old)", i}, {".", 0}}, "It is **very** (*old*)."},
		{"code", []Span{{"run (", 0}, {"go test", m}, {"), twice", 0}}, "run (`go test`), twice"},
		{"a power and an index", []Span{{"where ", 0}, {"x", x}, {"i", x | sub}, {" = ", 0}, {"y", x}, {"2", sup}, {", and", 0}}, "where $x_{i} = y^{2}$, and"},
		{"a footnote", []Span{{"word", 0}, {"3", sup}, {" on", 0}}, "word<sup>3</sup> on"},
		{"a mark of a name", []Span{{"Ann Lee", 0}, {"∗", sup | x}, {", Bo", 0}}, "Ann Lee<sup>∗</sup>, Bo"},
		{"a number before a formula", []Span{{"the 3 ", 0}, {"x", x}, {" + 1 are", 0}}, "the 3 $x + 1$ are"},
		{"a row in brackets", []Span{{"is ", 0}, {"[", 0}, {"x", x}, {"(1) ", 0}, {"x", x}, {"(0)] = [1 0], and", 0}}, "is $[x(1) x(0)] = [1 0]$, and"},
		{"an exponent over an index", []Span{{"with ", 0}, {"N", x}, {"(1)", sup}, {"ID", sub}, {" the", 0}}, "with $N^{(1)}_{ID}$ the"},
		{"an accent", []Span{{"of ", 0}, {"ŷ", x}, {" and é", 0}}, `of $\hat{y}$ and é`},
		{"brackets", []Span{{"(see ", 0}, {"f", x}, {"(", 0}, {"x", x}, {"))", 0}}, "(see $f(x)$)"},
	} {
		if diff := cmp.Diff(tt.want, Markdown(tt.in)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestGuardStart(t *testing.T) {
	for _, tt := range [][2]string{{"- a", `\- a`}, {"1. a", `1\. a`}, {"# a", `\# a`}, {"2019 was", "2019 was"}, {"-5 degrees", "-5 degrees"}, {"===", `\===`}} {
		if got := GuardStart(tt[0]); got != tt[1] {
			t.Errorf("guardStart(%q) = %q, want %q", tt[0], got, tt[1])
		}
	}
}

func TestJoinSpans(t *testing.T) {
	words := hyphen.NewVocabulary()
	words.Learn("signal-to-noise wavelength re-read measurement trace based")
	for _, tt := range [][3]string{
		{"the signal-to-", "noise ratio", "the signal-to-noise ratio"},
		{"a wave-", "length", "a wavelength"},
		{"please re-", "read it", "please re-read it"},
		{"the unknow-", "able", "the unknowable"},
		{"a trace-", "based one", "a trace-based one"},
		{"the Jean-", "Paul", "the Jean-Paul"},
		{"2019-", "2020", "2019-2020"},
		{"a dash -", "here", "a dash - here"},
		{"soft\u00ad", "ware", "software"},
		{"漢字", "仮名", "漢字仮名"},
	} {
		got := Text(Join(words, []Span{{Text: tt[0]}}, []Span{{Text: tt[1]}}))
		if got != tt[2] {
			t.Errorf("joinSpans(%q, %q) = %q, want %q", tt[0], tt[1], got, tt[2])
		}
	}
}

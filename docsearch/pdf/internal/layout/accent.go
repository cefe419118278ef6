package layout

import (
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"golang.org/x/text/unicode/norm"
)

// combining holds the combining form of the accents that fonts have as characters of their own. TeX's older fonts and
// many printer drivers set "é" as an accent and a letter in one place.
var combining = map[rune]rune{
	'`': 0x300, 0xB4: 0x301, 0x2C6: 0x302, 0x2DC: 0x303, 0xAF: 0x304, 0x2D8: 0x306, 0x2D9: 0x307, 0xA8: 0x308, 0x2DA: 0x30A,
	0x2DD: 0x30B, 0x2C7: 0x30C, 0xB8: 0x327, 0x2DB: 0x328, '^': 0x302, '~': 0x303, 0x2CA: 0x301, 0x2CB: 0x300,
}

// accentOf returns the combining mark that a glyph's text can be, 0 for none.
func accentOf(s string) rune {
	if len(s) == 1 && s[0] != '`' && s[0] != '^' && s[0] != '~' {
		return 0
	}
	r, n := utf8.DecodeRuneInString(s)
	if n != len(s) {
		return 0
	}
	if r >= 0x300 && r <= 0x338 {
		return r
	}
	return combining[r]
}

// composed puts an accent and a letter together, in one character where Unicode has one for the two. It returns "" when they do
// not go together: strokes go through signs and some letters only.
func composed(base string, accent rune) string {
	r, n := utf8.DecodeRuneInString(base)
	if n != len(base) || n == 0 {
		return ""
	}
	switch {
	case r == 'ı' && accent < 0x327:
		r = 'i'
	case r == 'ȷ' && accent < 0x327:
		r = 'j'
	case accent == 0x337 || accent == 0x335: // Computer Modern's stroke through l
		switch r {
		case 'l':
			return "ł"
		case 'L':
			return "Ł"
		}
		return ""
	case accent != 0x338 && !unicode.IsLetter(r):
		return ""
	}
	s := norm.NFC.String(string([]rune{r, accent}))
	if accent == 0x338 && utf8.RuneCountInString(s) != 1 {
		return ""
	}
	return s
}

// overlaid reports whether the middle of an accent stands over or under a letter, and the two overlap. Both have the same
// direction.
func overlaid(accent, base *content.Glyph) bool {
	alo, ahi := accent.Extent()
	lo, hi := base.Extent()
	at, slack := (alo+ahi)/2, .05*base.Size
	if ahi-alo < .02*accent.Size && accentIsSlash(accent) { // a stroke without advance is drawn to the right of its origin
		at = alo + slack
	}
	return at > lo-slack && at < hi+slack && alo < hi-slack && ahi > lo+min(slack, (hi-lo)/4)-slack
}

func accentIsSlash(g *content.Glyph) bool { r := accentOf(g.Text); return r == 0x338 || r == 0x337 }

// compose puts two glyphs together that make one letter: the text goes to the letter, the accent's is emptied. It reports
// whether it did, and if so, which of the two is the letter.
func compose(last, g *content.Glyph) (letter *content.Glyph) {
	if a := accentOf(last.Text); a != 0 {
		if s := composed(g.Text, a); s != "" && overlaid(last, g) {
			g.Text, last.Text = s, ""
			return g
		}
	}
	if a := accentOf(g.Text); a != 0 {
		if s := composed(last.Text, a); s != "" && overlaid(g, last) {
			last.Text, g.Text = s, ""
			return last
		}
	}
	return nil
}

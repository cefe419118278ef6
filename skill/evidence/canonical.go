package evidence

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Runes of a canonical text that stand for what a typesetter does. They are no Unicode, so that no input holds them.
const (
	// wordBreak is a hyphen with a line break behind it, or a soft hyphen, between two letters: the hyphen belongs to the
	// word or was put there where the line ended.
	wordBreak rune = -1 - iota
	// hyphenBreak is the same beside a digit or sign: the hyphen belongs to the text.
	hyphenBreak
)

// ligatures are the presentation forms that a font may use for the letters; nothing else of NFKC is applied, since that
// would make "10²" and "102" one.
var ligatures = strings.NewReplacer("ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "ſt", "ﬆ", "st",
	"Ĳ", "IJ", "ĳ", "ij")

// canonical brings a text into the form in which quotes are compared: canonical composition, ligatures spelt out, the
// plain hyphens as one, runs of white space as one space, hyphens at line ends marked, and a space between brackets or quotation marks
// and what they hold dropped.
func canonical(s string) []rune {
	out, _ := canonicalLines(s, false)
	return out
}

// canonicalLines is canonical, with where each line of s begins in it.
func canonicalLines(s string, each bool) (out []rune, starts []int) {
	in := []rune(norm.NFC.String(ligatures.Replace(s)))
	out = make([]rune, 0, len(in))
	seen := 0
	begin := func(to int) { // all of in before to is in out
		for ; each && seen < to; seen++ {
			if in[seen] == '\n' {
				starts = append(starts, len(out))
			}
		}
	}
	if each {
		starts = append(starts, 0)
	}
	for i := 0; i < len(in); begin(i) {
		r := in[i]
		switch {
		case isHyphen(r):
			next, broken := spaces(in, i+1)
			if !broken && r != softHyphen || len(out) == 0 || out[len(out)-1] == ' ' || next == len(in) {
				if r != softHyphen {
					out = append(out, '-')
				}
				i++
				continue
			}
			if !broken {
				next = i + 1
			}
			before, behind := out[len(out)-1], in[next]
			switch {
			case (unicode.IsLetter(before) || unicode.IsMark(before)) && unicode.IsLetter(behind):
				out = append(out, wordBreak)
			case r != softHyphen || wordRune(before) && wordRune(behind):
				out = append(out, hyphenBreak)
			}
			i = next
		case unicode.IsSpace(r):
			next, _ := spaces(in, i)
			if len(out) > 0 && next < len(in) && !loose(out[len(out)-1], in[next:]) {
				out = append(out, ' ')
			}
			i = next
		default:
			out = append(out, r)
			i++
		}
	}
	return out, starts
}

const softHyphen = '\u00AD'

// isHyphen reports the hyphens; a minus sign or dash is a different character with a different meaning.
func isHyphen(r rune) bool {
	return r == '-' || r == '\u2010' || r == '\u2011' || r == softHyphen
}

// spaces returns the index behind the white space that starts at i, and whether a line ends in it.
func spaces(in []rune, i int) (next int, broken bool) {
	for i < len(in) && unicode.IsSpace(in[i]) {
		switch in[i] {
		case '\n', '\r', '\f', '\v', '\u0085', '\u2028', '\u2029':
			broken = true
		}
		i++
	}
	return i, broken
}

// invisible reports runes that show nothing: a source may hold them anywhere, a quote only where its source does.
func invisible(r rune) bool {
	return r >= 0 && (unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) || unicode.Is(unicode.Cc, r)) || r == '\u034F' || r == '\u2800' || r == '\u3164'
}

// loose reports whether a space between a and what follows means nothing: behind an opening bracket or mark, or before a closing
// one or a comma or stop. It stays where such a sign belongs to a number or name: "1 ,2", "at .5", "the .NET".
func loose(a rune, behind []rune) bool {
	b := behind[0]
	switch {
	case unicode.In(a, unicode.Ps, unicode.Pi):
		return true
	case unicode.In(b, unicode.Pe, unicode.Pf):
		return true
	case strings.ContainsRune(",.;:!?", b):
		return !unicode.IsDigit(a) && (len(behind) == 1 || !wordRune(behind[1]))
	}
	return false
}

// wordRune reports a rune of a word or number. Scripts written without spaces have no boundaries to hold to.
func wordRune(r rune) bool {
	if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
		return false
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || r == '_' || unicode.IsMark(r)
}

func hasWord(q []rune) bool {
	for _, r := range q {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return true
		}
	}
	return false
}

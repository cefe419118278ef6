package pdf

import (
	"unicode"
	"unicode/utf8"
)

// Headings are set with space between their letters: "T R E N C H". The gaps then look like those between words, but
// there is one after every letter and they are all alike.
const (
	trackedLetters = 6   // fewest letters of a line to judge by
	trackedLongest = 24  // longest word
	trackedSpread  = 1.6 // widest gap within a word, relative to the narrowest
)

// untrack takes the spaces out of lines that are set so. A wider gap stays a space; so does the end of a segment.
func untrack(segs []segment, m *layoutMemory) {
	for i := 0; i < len(segs); {
		j := i + 1
		if !segs[i].tracked() {
			i = j
			continue
		}
		letters := len(segs[i].glyphs)
		for j < len(segs) && joins(&segs[j-1], &segs[j]) && segs[j].tracked() {
			letters += len(segs[j].glyphs)
			j++
		}
		if letters >= trackedLetters {
			for k := i; k < j; k++ {
				segs[k].spaces = nil
				segs[k].finish(m)
			}
		}
		i = j
	}
}

// tracked reports whether a segment is single letters with gaps alike between them.
func (s *segment) tracked() bool {
	if len(s.glyphs) < 2 || len(s.spaces) != len(s.glyphs)-1 {
		return false
	}
	low, high := 0.0, 0.0
	ascending, upper, lower := true, 0, 0
	for i := range s.glyphs {
		g := &s.glyphs[i]
		r, n := utf8.DecodeRuneInString(g.Text)
		if n != len(g.Text) || !unicode.IsLetter(r) || unspaced(g.Text) || rtlRune(r) {
			return false
		}
		switch {
		case unicode.IsUpper(r) && i > 0 && lower > 0:
			return false // no word: a list of letters
		case unicode.IsUpper(r):
			upper++
		default:
			lower++
		}
		if i == 0 {
			continue
		}
		ascending = ascending && s.glyphs[i-1].Text < g.Text
		gap := g.Gap(&s.glyphs[i-1])
		if i == 1 || gap < low {
			low = gap
		}
		high = max(high, gap)
	}
	return high <= low*trackedSpread && !(lower > 0 && upper > 1) && (!ascending || len(s.glyphs) < 5) && len(s.glyphs) <= trackedLongest
}

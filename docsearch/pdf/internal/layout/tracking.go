package layout

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
func untrack(segs []Segment, m *Memory) {
	for i := 0; i < len(segs); {
		j := i + 1
		if !segs[i].tracked() {
			i = j
			continue
		}
		letters := len(segs[i].Glyphs)
		for j < len(segs) && joins(&segs[j-1], &segs[j]) && segs[j].tracked() {
			letters += len(segs[j].Glyphs)
			j++
		}
		if letters >= trackedLetters {
			for k := i; k < j; k++ {
				segs[k].Spaces = nil
				segs[k].finish(m)
			}
		}
		i = j
	}
}

// tracked reports whether a segment is single letters with gaps alike between them.
func (s *Segment) tracked() bool {
	if len(s.Glyphs) < 2 || len(s.Spaces) != len(s.Glyphs)-1 {
		return false
	}
	low, high := 0.0, 0.0
	ascending, upper, lower := true, 0, 0
	for i := range s.Glyphs {
		g := &s.Glyphs[i]
		r, n := utf8.DecodeRuneInString(g.Text)
		if n != len(g.Text) || !unicode.IsLetter(r) || isUnspaced(g.Text) || IsRTL(r) {
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
		ascending = ascending && s.Glyphs[i-1].Text < g.Text
		gap := g.Gap(&s.Glyphs[i-1])
		if i == 1 || gap < low {
			low = gap
		}
		high = max(high, gap)
	}
	return high <= low*trackedSpread && !(lower > 0 && upper > 1) && (!ascending || len(s.Glyphs) < 5) && len(s.Glyphs) <= trackedLongest
}

package match

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// snippet is a short piece of a text around the best of its matches.
type snippet struct {
	Start, End int      // bytes of the text from the first match in the snippet to the last
	Text       string   // white space collapsed
	Matches    [][2]int // bytes of text
}

// Snip cuts at most n runes of txt, at word boundaries, around the run of matches that holds the most different
// words, identifiers before plain ones; of several such runs, around the one that has most of the words of near beside it. spans must be in order and not
// overlap.
func Snip(txt string, spans, near []Span, n int) snippet {
	// The window slides over the matches; its size is measured in runes without repeated blanks.
	best, bestEnd, bestScore := 0, 1, -1
	upTo := make([]int, len(spans)) // runes from the end of the match before to the end of this one
	for j := 1; j < len(spans); j++ {
		upTo[j] = runeLen(txt[spans[j-1].End:spans[j].End])
	}
	var seen []int
	for i := range spans {
		score, end, runes := 0, i, 0
		seen = seen[:0]
		for j := i; j < len(spans); j++ {
			if j > i { // the first is in it, however long
				if runes += upTo[j]; runes > n {
					break
				}
			} else {
				runes = runeLen(txt[spans[i].Start:spans[i].End])
			}
			if !slices.Contains(seen, spans[j].Group) {
				seen = append(seen, spans[j].Group)
				score += 100
				if spans[j].Precise { // "10.2.2" says more of a place than "clause"
					score += 50
				}
			}
			score++
			end = j + 1
		}
		score += 10 * beside(near, spans[i].Start-n/2, spans[end-1].End+n/2)
		if score > bestScore {
			best, bestEnd, bestScore = i, end, score
		}
	}
	win := spans[best:bestEnd]
	from, to := win[0].Start, win[len(win)-1].End
	out := snippet{Start: from, End: to}
	size := runeLen(txt[from:to])
	if size > n { // one match longer than a snippet
		for size > n {
			_, w := utf8.DecodeLastRuneInString(txt[from:to])
			to -= w
			size = runeLen(txt[from:to])
		}
		if i := strings.LastIndexFunc(txt[from:to], unicode.IsSpace); i > 0 {
			to = from + i
		}
	}
	left := (n - size) / 2
	from = widen(txt, from, -1, left)
	to = widen(txt, to, 1, n-runeLen(txt[from:to]))
	from = widen(txt, from, -1, n-runeLen(txt[from:to]))

	var b strings.Builder
	b.Grow(to - from)
	pos := make([]int32, to-from+1) // byte of txt from from → byte of the snippet and one more; 0: a blank, or within a rune
	blank := false
	for i, r := range txt[from:to] {
		if unicode.IsSpace(r) {
			blank = b.Len() > 0
			continue
		}
		if blank {
			b.WriteByte(' ')
			blank = false
		}
		w := runeWidth(txt[from+i:])
		pos[i] = int32(b.Len()) + 1
		b.WriteString(txt[from+i : from+i+w])
		pos[min(i+w, to-from)] = int32(b.Len()) + 1
	}
	out.Text = b.String()
	for _, s := range spans {
		if s.Start < from || s.Start >= to {
			continue
		}
		a := int(pos[s.Start-from]) - 1
		e := int(pos[min(s.End, to)-from]) - 1
		if e < 0 {
			e = b.Len()
		}
		if a >= 0 && e > a {
			out.Matches = append(out.Matches, [2]int{a, e})
		}
	}
	if out.Matches == nil {
		out.Matches = [][2]int{}
	}
	return out
}

// beside counts the different words of near between two offsets.
func beside(near []Span, from, to int) int {
	seen := map[int]bool{}
	for _, s := range near {
		if s.Start >= from && s.End <= to {
			seen[s.Group] = true
		}
	}
	return len(seen)
}

func runeWidth(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	return n
}

// runeLen counts the runes of s with each run of white space as one.
func runeLen(s string) int {
	n, blank := 0, false
	for i := 0; i < len(s); i++ { // as below, for the bytes that are runes
		c := s[i]
		if c >= utf8.RuneSelf {
			return n + runeLenAfter(s[i:], blank)
		}
		space := c == ' ' || '\t' <= c && c <= '\r'
		if !space || !blank {
			n++
		}
		blank = space
	}
	return n
}

// runeLenAfter is runeLen of what stands behind a text that ends in a blank, or does not.
func runeLenAfter(s string, blank bool) int {
	n := 0
	for _, r := range s {
		if unicode.IsSpace(r) {
			if blank {
				continue
			}
			blank = true
		} else {
			blank = false
		}
		n++
	}
	return n
}

// widen moves at by whole words for at most n runes, back (-1) or forth (1).
func widen(txt string, at, dir, n int) int {
	edge, runes, blank := at, 0, false
	for i := at; ; {
		var r rune
		var w int
		if dir < 0 {
			r, w = utf8.DecodeLastRuneInString(txt[:i])
		} else {
			r, w = utf8.DecodeRuneInString(txt[i:])
		}
		if w == 0 { // an end of the text is a word boundary
			return i
		}
		space := unicode.IsSpace(r)
		if space {
			edge = i
		}
		if !space || !blank {
			if runes++; runes > n {
				return edge
			}
		}
		blank = space
		i += dir * w
	}
}

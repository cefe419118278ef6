package docsearch

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// snippet is a short piece of a text around the best of its matches.
type snippet struct {
	start, end int      // bytes of the text from the first match in the snippet to the last
	text       string   // white space collapsed
	matches    [][2]int // bytes of text
}

// cutSnippet cuts at most n runes of txt, at word boundaries, around the run of matches that holds the most different
// words, identifiers before plain ones; of several such runs, around the one that has most of the words of near beside it. spans must be in order and not
// overlap.
func cutSnippet(txt string, spans, near []span, n int) snippet {
	// The window slides over the matches; its size is measured in runes without repeated blanks.
	best, bestEnd, bestScore := 0, 1, -1
	for i := range spans {
		seen, score := map[int]bool{}, 0
		end := i
		at, runes := spans[i].start, 0
		for j := i; j < len(spans); j++ {
			runes += runeLen(txt[at:spans[j].end])
			at = spans[j].end
			if runes > n && j > i {
				break
			}
			if !seen[spans[j].group] {
				seen[spans[j].group] = true
				score += 100
				if spans[j].precise { // "10.2.2" says more of a place than "clause"
					score += 50
				}
			}
			score++
			end = j + 1
		}
		score += 10 * beside(near, spans[i].start-n/2, spans[end-1].end+n/2)
		if score > bestScore {
			best, bestEnd, bestScore = i, end, score
		}
	}
	win := spans[best:bestEnd]
	from, to := win[0].start, win[len(win)-1].end
	out := snippet{start: from, end: to}
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
	pos := make(map[int]int, 2*len(win)) // byte of txt → byte of the snippet
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
		pos[from+i] = b.Len()
		b.WriteString(txt[from+i : from+i+runeWidth(txt[from+i:])])
		pos[from+i+runeWidth(txt[from+i:])] = b.Len()
	}
	out.text = b.String()
	for _, s := range spans {
		if s.start < from || s.start >= to {
			continue
		}
		a, ok := pos[s.start]
		e, ok2 := pos[min(s.end, to)]
		if !ok2 {
			e = b.Len()
		}
		if ok && e > a {
			out.matches = append(out.matches, [2]int{a, e})
		}
	}
	if out.matches == nil {
		out.matches = [][2]int{}
	}
	return out
}

// beside counts the different words of near between two offsets.
func beside(near []span, from, to int) int {
	seen := map[int]bool{}
	for _, s := range near {
		if s.start >= from && s.end <= to {
			seen[s.group] = true
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

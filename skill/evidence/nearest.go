package evidence

import (
	"fmt"
	"strings"
)

const (
	maxNearWords = 400 // words of a quote that are compared
	maxCommon    = 200 // places of one word in the source that vote
)

// nearest says how q differs from the text in s that is most like it.
func nearest(s, q []rune) string {
	const nothing = "the text there does not contain it, nor anything like it"
	qw, sw := strings.Fields(display(q)), strings.Fields(display(s))
	qw = qw[:min(len(qw), maxNearWords)]
	// Each word of the quote votes for where the quote would begin.
	at := map[string][]int{}
	for i, w := range sw {
		if len(at[w]) <= maxCommon {
			at[w] = append(at[w], i)
		}
	}
	votes := map[int]int{}
	best, most := 0, 0
	for j, w := range qw {
		if len(at[w]) > maxCommon {
			continue
		}
		for _, i := range at[w] {
			if votes[i-j]++; votes[i-j] > most || votes[i-j] == most && i-j < best {
				best, most = i-j, votes[i-j]
			}
		}
	}
	if most == 0 || len(qw) > 3 && most < 2 {
		return nothing
	}
	from := max(best-8, 0)
	near := sw[from:min(max(best+len(qw)+8, from), len(sw))]
	gone, there, ok := firstDifference(qw, near)
	if !ok {
		return nothing
	}
	switch {
	case gone == "":
		return fmt.Sprintf("it leaves out %q, which the source has there", there)
	case there == "":
		return fmt.Sprintf("it adds %q, which the source has not", gone)
	}
	return fmt.Sprintf("it says %q where the source has %q", gone, there)
}

// firstDifference aligns the words of a quote with those of a text around it, and returns the first stretch in which they differ.
func firstDifference(q, s []string) (gone, there string, ok bool) {
	// lcs[j][i] is the length of the longest common subsequence of q[j:] and s[i:].
	lcs := make([][]int16, len(q)+1)
	for j := range lcs {
		lcs[j] = make([]int16, len(s)+1)
	}
	for j := len(q) - 1; j >= 0; j-- {
		for i := len(s) - 1; i >= 0; i-- {
			if q[j] == s[i] {
				lcs[j][i] = lcs[j+1][i+1] + 1
			} else {
				lcs[j][i] = max(lcs[j+1][i], lcs[j][i+1])
			}
		}
	}
	start := 0 // the text before the quote is no difference
	for i := range s {
		if lcs[0][i] == lcs[0][0] {
			start = i
		}
	}
	j, i := 0, start
	for j < len(q) && i < len(s) && q[j] == s[i] {
		j, i = j+1, i+1
	}
	if j == len(q) {
		return "", "", false
	}
	j0, i0 := j, i
	for j < len(q) && i < len(s) && q[j] != s[i] {
		if lcs[j+1][i] >= lcs[j][i+1] {
			j++
		} else {
			i++
		}
	}
	if j == len(q) || i == len(s) { // the tail: show as many words of the source
		j = len(q)
		i = min(i0+j-j0, len(s))
	}
	if j0 > 0 && i0 > 0 && j > j0 && i > i0 { // a word before shows where
		j0, i0 = j0-1, i0-1
	}
	return clip(strings.Join(q[j0:j], " "), 80), clip(strings.Join(s[i0:i], " "), 80), true
}

// around shows the words that s[from:to] lies in.
func around(s []rune, from, to int) string {
	to = min(to, len(s))
	for from > 0 && s[from-1] != ' ' {
		from--
	}
	for to < len(s) && s[to] != ' ' {
		to++
	}
	return fmt.Sprintf("%q", clip(display(s[from:to]), 120))
}

// display writes a canonical text for people.
func display(s []rune) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == hyphenBreak || r == wordBreak:
			b.WriteByte('-')
		case r >= 0:
			b.WriteRune(r)
		}
	}
	return b.String()
}

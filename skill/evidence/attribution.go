package evidence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// An attribution is a line that holds nothing but keys, as they stand below what they prove: "[D1]", "-- [D1, D2]",
// "Source: [D1]", "*(see [D1])*". It states nothing, and belongs to the quote or sentence directly above it when that has no key of its own.

// leads are the words that may stand before the keys of an attribution.
const leads = " source sources key keys ref refs reference references citation citations cite cited evidence see from quelle quellen "

const (
	dashes  = "-\u2010\u2011\u2012\u2013\u2014\u2015"
	maxLead = 12 // signs before or behind the keys, or letters of the word before them
)

// attribution returns where the attribution ends that starts at i, the first sign of a line.
func (c *scanner) attribution(i int) (stop int, ok bool) {
	i = c.signs(i, dashes+"~*_(\u2022\u2192")
	word := i
	for b := c.at(i); b != end && isASCIILetter(byte(b)) && i < word+maxLead; b = c.at(i) {
		i++
	}
	if i > word {
		if !strings.Contains(leads, " "+strings.ToLower(c.s[word:i])+" ") {
			return word, false
		}
		i = c.signs(i, ":*_"+dashes)
	}
	p := c.keysBehind(i)
	if p == i {
		return i, false
	}
	p = c.signs(p, ")*_.")
	b := c.at(p)
	return p, b == '\n' || b == end
}

// signs returns where the signs of set at i end, and the blanks between and behind them. A round bracket directly before a key is not taken.
func (c *scanner) signs(i int, set string) int {
	for range maxLead {
		i = c.blanks(i)
		r, n := c.rune(i)
		if n == 0 || !strings.ContainsRune(set, r) || r == '(' && c.at(i+1) == '[' {
			break
		}
		i += n
	}
	return c.blanks(i)
}

// keysBelow takes the attributions below a unit that has no key: directly below it or behind one empty line, and
// those directly below the first. Under a block quote they may be lines of it, behind an empty one.
func (c *scanner) keysBelow(u *unit, stop int) int {
	for most := 2; ; most = 1 {
		i, n := stop, 0
		for {
			i = c.blanks(i)
			for n > 0 && u.kind == blockquote && !u.element && c.at(i) == '>' {
				i = c.blanks(i + 1)
			}
			if c.at(i) != '\n' {
				break
			}
			if n++; n > most {
				return stop
			}
			i++
		}
		if n == 0 {
			return stop
		}
		p, ok := c.attribution(i)
		if !ok {
			return stop
		}
		c.citeAll(u, i, p)
		stop = p
	}
}

// citeAll notes the citations between i and stop, where nothing but keys and signs stand.
func (c *scanner) citeAll(u *unit, i, stop int) {
	for i < stop {
		if c.at(i) == '[' {
			i = c.cite(u, i)
			continue
		}
		i++
	}
}

// quoted returns what a block quote holds: without its marks, its keys, and the brackets and dashes that lead to these. It is
// empty when there is nothing but keys. The text goes through plain.
func (u *unit) quoted(plain func(string) string) string {
	var lines []string
	from := u.Start
	for line := range strings.Lines(u.Text) {
		start := from
		from += len(line)
		text := u.cutMarks(start, from)
		text = strings.TrimLeft(strings.TrimSpace(text), "> \t")
		line = strings.TrimLeft(strings.TrimSpace(line), "> \t")
		c := &scanner{s: line, final: true}
		if _, ok := c.attribution(0); ok {
			continue
		}
		lines = append(lines, strings.Trim(text, "*_"))
	}
	q := strings.TrimSpace(plain(strings.Join(lines, "\n")))
	if len(u.quotes) == 1 { // > "text" [D1]
		if r, n := utf8.DecodeRuneInString(q); closing[r] != "" && strings.ContainsAny(closing[r], lastRune(q)) {
			q = strings.TrimSuffix(q[n:], lastRune(q))
		}
	}
	if !strings.ContainsFunc(q, func(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) }) {
		return ""
	}
	return q
}

// cutMarks returns the bytes from start to stop of the answer without the citations in it and the round brackets around them, each
// leaving a space, and without a dash before a citation at the end.
func (u *unit) cutMarks(start, stop int) string {
	var b strings.Builder
	at := start
	for _, m := range u.marks {
		if m.start < at || m.end > stop {
			continue
		}
		before, behind := u.Text[at-u.Start:m.start-u.Start], u.Text[m.end-u.Start:stop-u.Start]
		at = m.end
		if strings.HasSuffix(before, "(") && strings.HasPrefix(behind, ")") {
			before, at = strings.TrimSuffix(before, "("), at+1
		}
		if rest := strings.TrimSpace(u.Text[at-u.Start : stop-u.Start]); rest == "" {
			trimmed := strings.TrimRight(before, " \t")
			if bare := strings.TrimRight(trimmed, dashes); bare != trimmed && (bare == "" || strings.HasSuffix(bare, " ")) {
				before = bare
			}
		}
		b.WriteString(before + " ")
	}
	b.WriteString(u.Text[at-u.Start : stop-u.Start])
	return b.String()
}

func lastRune(s string) string {
	_, n := utf8.DecodeLastRuneInString(s)
	return s[len(s)-n:]
}

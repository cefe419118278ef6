package evidence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// wrapped is the length from which a line may have been broken by an editor and not by its writer, in bytes.
const wrapped = 60

// sentence takes a sentence of a paragraph or list item that starts at i.
func (c *scanner) sentence(u *unit, i int) int {
	u.kind = prose
	start, line, pipe := i, i, false
	lastCite := -1 // where the last citation ended
	for {
		r, n := c.rune(i)
		if m, size := c.mark(i); closing[m] != "" {
			q, k, ok := c.quotation(i)
			if !ok {
				if c.lone(i) {
					u.lone = append(u.lone, span{i, i + size})
				}
				i += size
				continue
			}
			u.quotes = append(u.quotes, q)
			i = k
			if last, m := utf8.DecodeLastRuneInString(c.s[q.start:q.end]); isStop(last) {
				stop, ok := c.ends(u, start, q.end-m, i, lastCite)
				if i = stop; ok {
					return stop
				}
			}
			continue
		}
		switch {
		case n == 0:
			return i
		case r == '\n':
			k, joined := c.joins(i, line, pipe, lastCite)
			if !joined {
				return i
			}
			i, line, pipe = k, k, false
		case c.breakAt(i) > 0:
			return i
		case r == '\\':
			_, m := c.rune(i + 1)
			i += 1 + m
		case r == '`':
			i = c.codeSpan(i)
		case r == '[':
			if k := c.cite(u, i); k > i+1 {
				i, lastCite = k, k
			} else {
				i++
			}
		case r == '|':
			pipe = true
			i++
		case isStop(r):
			stop, ok := c.ends(u, start, i, i+n, lastCite)
			if i = stop; ok {
				return stop
			}
		default:
			i += n
		}
	}
}

// breakAt returns the length of what parts lines at i without being a line feed: a carriage return alone, a separator of Unicode, or a tag of HTML that
// begins a block or line; 0 for none.
func (c *scanner) breakAt(i int) int {
	switch b := c.at(i); {
	case b == '\v' || b == '\f' || b == '\r' && c.at(i+1) != '\n':
		return 1
	case b == 0xC2 && c.at(i+1) == 0x85:
		return 2
	case b == 0xE2 && c.at(i+1) == 0x80 && (c.at(i+2) == 0xA8 || c.at(i+2) == 0xA9):
		return 3
	case b != '<':
		return 0
	}
	k := i + 1
	if c.at(k) == '/' {
		k++
	}
	from := k
	for b := c.at(k); b != end && (isASCIILetter(byte(b)) || b >= '0' && b <= '9') && k < from+12; b = c.at(k) {
		k++
	}
	if !strings.Contains(" br p li ul ol div tr td th table h1 h2 h3 h4 h5 h6 hr blockquote pre dl dt dd section article summary details ",
		" "+strings.ToLower(c.s[from:k])+" ") {
		return 0
	}
	for ; k < i+200; k++ {
		switch c.at(k) {
		case '>':
			return k + 1 - i
		case '<', '\n', end:
			return 0
		}
	}
	return 0
}

func isStop(r rune) bool { return strings.ContainsRune(".!?…。！？", r) }

// joins decides at the line break at i whether the sentence goes on in the next line, and where.
func (c *scanner) joins(i, line int, pipe bool, lastCite int) (next int, ok bool) {
	k := c.blanks(i + 1)
	switch b := c.at(k); {
	case b == '\n' || b == end:
		return k, false
	case pipe || b == '|' || b == '>' || c.fenceAt(k) > 0 || c.headingAt(k) > 0 || c.markerAt(k) > 0:
		return k, false
	}
	last := strings.TrimRight(c.s[line:i], " \t\r")
	r, _ := c.rune(k)
	switch {
	case strings.HasSuffix(last, ":"):
		return k, false
	case unicode.IsLower(r):
		return k, true
	case lastCite == line+len(last):
		return k, false
	}
	return k, len(last) >= wrapped
}

// ends decides whether the stop at i, behind which the text goes on at k, ends the sentence, and returns where that ends, or
// where to go on.
func (c *scanner) ends(u *unit, start, i, k, lastCite int) (stop int, ok bool) {
	first, _ := utf8.DecodeRuneInString(c.s[i:])
	for { // "?!", `."`, ".)"
		r, n := c.rune(k)
		if n == 0 || !isStop(r) && !strings.ContainsRune(")]\"'”’»*_", r) {
			break
		}
		if r == '"' || r == '\'' || r == '*' || r == '_' { // these may open what follows
			e := k + n
			for c.at(e) == '*' || c.at(e) == '_' {
				e++
			}
			if b := c.at(e); b != ' ' && b != '\n' && b != '\r' && b != end {
				break
			}
			n = e - k
		}
		k += n
	}
	if p := c.keysBehind(k); p > k {
		rest := c.blanks(p)
		done := c.at(rest) == '\n' || c.at(rest) == end
		if done || len(u.Keys) == 0 && !c.plainWord(rest) {
			c.citeAll(u, k, p)
			return p, true
		}
		return k, true
	}
	b, ideographic := c.at(k), strings.ContainsRune("。！？", first)
	switch {
	case b == end || ideographic:
		return k, true
	case b != ' ' && b != '\t' && b != '\n' && b != '\r':
		// A key before the stop shows that a sentence ended there, even without the space.
		r, _ := c.rune(k)
		return k, lastCite == i && unicode.IsLetter(r)
	case first != '.' && first != '…':
		return k, first == '!' || first == '?'
	}
	next := c.blanks(k)
	if c.at(next) == '\n' {
		next = c.blanks(next + 1)
		if c.at(next) == '\n' || c.at(next) == end {
			return k, true
		}
	}
	if lastCite == i {
		return k, true
	}
	if c.plainWord(next) {
		return k, false // an abbreviation we do not know, or a slip
	}
	return k, !c.abbreviates(start, i, next)
}

// plainWord reports whether a word of small letters alone stands at i, as no sentence begins; detect_pss and x2 may.
func (c *scanner) plainWord(i int) bool {
	r, n := c.rune(i)
	if !unicode.IsLower(r) {
		return false
	}
	for unicode.IsLower(r) {
		i += n
		r, n = c.rune(i)
	}
	return n == 0 || unicode.IsSpace(r) || strings.ContainsRune(",;:!?'’)", r) || r == '-' ||
		r == '.' && (c.at(i+1) == ' ' || c.at(i+1) == '\n' || c.at(i+1) == end)
}

// keysBehind returns where the citations end that follow at k on the line, or k.
func (c *scanner) keysBehind(k int) int {
	stop := k
	for i := k; ; {
		i = c.blanks(i)
		if b := c.at(i); stop > k && (b == ',' || b == ';') {
			i = c.blanks(i + 1)
		}
		open := c.at(i) == '('
		if open {
			i++
		}
		if c.at(i) != '[' {
			return stop
		}
		_, b, e := c.bracketAt(i)
		if b != cited {
			return stop
		}
		if open {
			if c.at(e) != ')' {
				return stop
			}
			e++
		}
		if b := c.at(e); b == '.' {
			e++
		}
		i, stop = e, e
	}
}

// before are abbreviations that something follows, and never a new sentence; before a number those behind the bar.
const (
	before = " e.g i.e cf vs viz dr prof mr mrs ms st z.b d.h u.a bzw ca approx resp incl excl max min avg "
	counts = " fig figs eq eqs sec secs sect ch chap tab tbl ref refs no nos vol p pp art cl app ver rel def thm lem cor ex nr abb kap "
)

// starter reports whether the word at i mostly begins a sentence: "of kind B. The next", but "by J. Smith".
func (c *scanner) starter(i int) bool {
	k := i
	for b := c.at(k); b != end && isASCIILetter(byte(b)) && k < i+8; b = c.at(k) {
		k++
	}
	return strings.Contains(" A An All And As At Both But By For From Here How If In It Its No Of On One Or So The Then There These They This Those To We What When While With ",
		" "+c.s[i:k]+" ")
}

// abbreviates reports whether the full stop at i belongs to the word before it.
func (c *scanner) abbreviates(start, i, next int) bool {
	word := c.s[start:i]
	if at := strings.LastIndexAny(word, " \t\n([\"“/"); at >= 0 {
		word = word[at+1:]
	}
	r, _ := c.rune(next)
	low := strings.ToLower(word)
	switch {
	case word == "":
		return false
	case len(low) < 12 && strings.Contains(before, " "+low+" "):
		return true
	case len(low) < 12 && strings.Contains(counts, " "+low+" "):
		return unicode.IsDigit(r) || r == '('
	case utf8.RuneCountInString(word) == 1: // J. Smith; but a number, or a name of one letter, may end a sentence
		only, _ := utf8.DecodeRuneInString(word)
		return unicode.IsUpper(only) && only != 'I' && unicode.IsUpper(r) && !c.starter(next)
	case strings.Trim(word, "0123456789") == "":
		return start+len(word) == i // "2." before its text
	}
	return false
}

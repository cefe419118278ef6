package evidence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Marks that are no single character stand for themselves under these.
const (
	openElement  = '\uE000' // <q>
	closeElement = '\uE001' // </q>
	openTeX      = '\uE002' // ``
	closeTeX     = '\uE003' // ''
)

// closing gives the marks that end a quotation, by the one that begins it.
var closing = map[rune]string{
	'"': "\"", '\u201C': "\u201D\u201C\"", '\u201E': "\u201C\u201D\"", '\u201F': "\u201D", '\u201D': "\u201D", '\u00AB': "\u00BB", '\u00BB': "\u00AB\u00BB",
	'\'': "'", '\u2018': "\u2019", '\u201A': "\u2018\u2019", '\u2039': "\u203A", '\u203A': "\u2039\u203A", '\u300C': "\u300D", '\u300E': "\u300F", '\uFF02': "\uFF02",
	'\u275D': "\u275E", '\u301D': "\u301E\u301F", openElement: string(closeElement), openTeX: string(closeTeX) + "\"",
}

// markEntities are the marks as HTML writes them.
var markEntities = map[string]rune{
	"quot": '"', "#34": '"', "#x22": '"', "#X22": '"', "ldquo": '\u201C', "rdquo": '\u201D', "#8220": '\u201C', "#8221": '\u201D', "#x201c": '\u201C', "#x201d": '\u201D', "#x201C": '\u201C', "#x201D": '\u201D',
	"bdquo": '\u201E', "#8222": '\u201E', "laquo": '\u00AB', "raquo": '\u00BB', "#171": '\u00AB', "#187": '\u00BB', "lsaquo": '\u2039', "rsaquo": '\u203A',
	"lsquo": '\u2018', "rsquo": '\u2019', "sbquo": '\u201A', "apos": '\'', "#39": '\'', "#x27": '\'', "#8216": '\u2018', "#8217": '\u2019',
}

// singleMarks are apostrophes and feet too, so that what they hold is a quotation only from three words on.
const singleMarks = "'\u2018\u201A\u2039\u203A"

// mark reads the quotation mark at i, however it is written, and its length; 0 when there is none.
func (c *scanner) mark(i int) (rune, int) {
	switch b := c.at(i); {
	case b == '\\':
		if b := c.at(i + 1); b == '"' || b == '\'' {
			return rune(b), 2
		}
	case b == '&':
		for k := i + 1; k < i+9; k++ {
			switch b := c.at(k); {
			case b == ';':
				r := markEntities[c.s[i+1:k]]
				if r == 0 {
					return 0, 0
				}
				return r, k + 1 - i
			case b != '#' && (b < '0' || b > '9') && (b < 'a' || b > 'z') && (b < 'A' || b > 'Z'):
				return 0, 0
			}
		}
	case b == '<':
		k, r := i+1, openElement
		if c.at(k) == '/' {
			k, r = k+1, closeElement
		}
		if q := c.at(k); q != 'q' && q != 'Q' {
			return 0, 0
		}
		for n := k + 1; n < k+200; n++ {
			switch b := c.at(n); {
			case b == '>':
				return r, n + 1 - i
			case b == end || b == '\n' || n == k+1 && b != ' ':
				return 0, 0
			}
		}
	case b == '`':
		if c.at(i+1) == '`' && c.at(i+2) != '`' && (i == 0 || c.s[i-1] != '`') && c.codeSpan(i) == i+2 {
			return openTeX, 2
		}
	case b == '\'':
		if c.at(i+1) == '\'' {
			return closeTeX, 2
		}
		return '\'', 1
	case b == '"':
		return '"', 1
	case b >= utf8.RuneSelf:
		r, n := c.rune(i)
		if closing[r] != "" || strings.ContainsRune("\u2019\u300D\u300F\u275E\u301E\u301F", r) {
			return r, n
		}
	}
	return 0, 0
}

// quotation reads a quotation that starts with the mark at i: what it holds, and where its closing mark ends. Single marks hold a
// quotation when it has three words or more: a name in them is a name, and an apostrophe is one.
func (c *scanner) quotation(i int) (q span, stop int, ok bool) {
	open, n := c.mark(i)
	marks := closing[open]
	if n == 0 || marks == "" || !c.opensQuote(open, i, n) {
		return span{}, 0, false
	}
	single := strings.ContainsRune(singleMarks, open)
	limit := i + n + maxQuote
	if single {
		limit = i + n + maxName
	}
	k := i + n
	if none := c.none[open]; none.start <= k && k < none.end {
		k = none.end
	}
	defer func() {
		if !ok && !c.short && !single {
			if c.none == nil {
				c.none = map[rune]span{}
			}
			c.none[open] = span{i + n, max(k, i+n)}
		}
	}()
	for k < limit {
		r, m := c.mark(k)
		if m > 0 && strings.ContainsRune(marks, r) && c.closesQuote(r, k, m) {
			q = span{i + n, k}
			if single && len(strings.Fields(c.s[q.start:q.end])) < 3 {
				if c.at(k-1) == 's' && c.at(k+m) == ' ' { // the users' data: no end
					k += m
					continue
				}
				return span{}, 0, false
			}
			return q, k + m, true
		}
		if m == 0 {
			if r, m = c.rune(k); m == 0 {
				return span{}, 0, false
			}
			if r == '\n' {
				if b := c.at(c.blanks(k + 1)); b == '\n' || b == end {
					return span{}, 0, false
				}
			}
		}
		k += m
	}
	return span{}, 0, false
}

// around tells what stands before and behind a mark; blank for the ends of the text.
func (c *scanner) around(i, n int) (before, behind rune) {
	before, _ = utf8.DecodeLastRuneInString(c.s[:i])
	behind, m := c.rune(i + n)
	if i == 0 {
		before = ' '
	}
	if m == 0 {
		behind = ' '
	}
	return before, behind
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// behindClosing are the signs that may stand behind a straight mark that ends something; any other begins a text.
const behindClosing = ".,;:!?\u2026)]}>'\"\u2019\u201D|/"

// opensQuote says whether a mark begins a quotation where it stands. Marks that are made for the beginning do, wherever
// they stand; a straight one before a word, or alone between blanks; one behind a digit is of inches or seconds.
func (c *scanner) opensQuote(r rune, i, n int) bool {
	before, behind := c.around(i, n)
	switch r {
	case '"', '\uFF02':
		switch {
		case unicode.IsDigit(before):
			return false
		case unicode.IsSpace(behind):
			return unicode.IsSpace(before)
		}
		return !unicode.IsLetter(before) || !strings.ContainsRune(behindClosing, behind)
	case '\'':
		return !isWord(before) && (isWord(behind) || !unicode.IsSpace(behind) && unicode.IsSpace(before))
	case '\u2018', '\u201D', '\u00BB', '\u203A':
		return !isWord(before) && !unicode.IsSpace(behind) && !isStop(before)
	}
	return true
}

// closesQuote says whether a mark may end a quotation: a straight one that stands before a word begins one.
func (c *scanner) closesQuote(r rune, k, m int) bool {
	before, behind := c.around(k, m)
	switch r {
	case '"', '\u201C', '\uFF02':
		return !unicode.IsSpace(before) || unicode.IsSpace(behind) || !isWord(behind)
	case '\'', '\u2019', '\u2018':
		return !unicode.IsSpace(before) && !isWord(behind)
	}
	return true
}

// lone reports a mark that begins a quotation which nothing ends: nobody can tell what it quotes.
func (c *scanner) lone(i int) bool {
	r, n := c.mark(i)
	_, behind := c.around(i, n)
	return !strings.ContainsRune(singleMarks, r) && closing[r] != "" && !unicode.IsSpace(behind) && c.opensQuote(r, i, n)
}

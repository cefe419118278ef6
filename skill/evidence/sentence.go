package evidence

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Sentence is a unit of an answer that stands or falls with its keys: a sentence of a paragraph or of a list item, a
// heading, a row of a table, a fenced block of code, or a block quote.
type Sentence struct {
	Text       string   `json:"text"`           // the answer's bytes from Start to End
	Start, End int      `json:"-"`              // byte offsets in the answer, half-open
	Keys       []string `json:"keys,omitempty"` // cited in it or right behind it, by first citation
}

// Sentences cuts a text, plain or Markdown, into its sentences, in order; what has neither a word, a number nor a key is none.
//
// A stop ends a sentence when white space follows it, unless it belongs to an abbreviation or an initial; 38.331, 5.3.5.3 and
// the inside of a code span or of quotation marks are whole. Keys behind the stop belong to the sentence before it
// when that has none yet or nothing follows on the line; so do keys that stand alone in the line below it, or in the one
// behind an empty line, also behind a dash, a bracket or a word such as "Source:", when it has none. Wrapped lines are joined: a line of less than 60
// bytes, or one that ends in a key or a colon, and behind which no small letter follows, ends its sentence without a stop. Headings,
// rows of tables and list items never join; tags of HTML that begin a block or line, and separators of lines other than the line feed, end a sentence too.
func Sentences(text string) []Sentence {
	out := []Sentence{}
	for u := range units(text) {
		out = append(out, u.Sentence)
	}
	return out
}

type unitKind int

const (
	prose      unitKind = iota
	heading             // # Title
	columns             // the first row of a table, above its rule
	row                 // any other row
	fence               // fenced code
	blockquote          // > text, or the element of HTML
)

// A unit is a sentence with what its checks need to know of it.
type unit struct {
	Sentence
	kind    unitKind
	element bool   // a block quote of HTML
	quotes  []span // what stands within quotation marks, without them
	lone    []span // marks that begin a quotation which nothing ends
	wrong   []span // brackets that look like a citation and are none
	marks   []span // citations
}

type span struct{ start, end int } // byte offsets in the answer

// units yields the units of a whole text.
func units(text string) iter.Seq[*unit] {
	return func(yield func(*unit) bool) {
		c := &scanner{s: text, final: true}
		for at := 0; ; {
			u, end, ok := c.next(at)
			if !ok || !yield(u) {
				return
			}
			at = end
		}
	}
}

// A scanner finds units from left to right. When more text may follow (final is false), any look beyond the end sets short, and what was found
// then is to be forgotten: so a text that comes in pieces is cut like one that comes whole.
type scanner struct {
	s     string
	final bool
	short bool
	none  map[rune]span // where no mark closes a quotation, by the opening mark: hostile text is read once
}

const end = -1 // of the text

// at returns the byte at i, or end.
func (c *scanner) at(i int) int {
	if i < len(c.s) {
		return int(c.s[i])
	}
	if !c.final {
		c.short = true
	}
	return end
}

// rune returns the rune at i and its length; length 0 at the end.
func (c *scanner) rune(i int) (rune, int) {
	if i >= len(c.s) || !c.final && !utf8.FullRuneInString(c.s[i:]) {
		c.at(len(c.s))
		if i >= len(c.s) || !c.final {
			return 0, 0
		}
	}
	return utf8.DecodeRuneInString(c.s[i:])
}

func (c *scanner) blanks(i int) int {
	for b := c.at(i); b == ' ' || b == '\t' || b == '\r'; b = c.at(i) {
		i++
	}
	return i
}

func (c *scanner) lineEnd(i int) int {
	for b := c.at(i); b != '\n' && b != end; b = c.at(i) {
		i++
	}
	return i
}

// next finds the unit that starts at or behind i, which is 0 or where the last one ended.
func (c *scanner) next(i int) (u *unit, stop int, ok bool) {
	bol := i == 0
	for {
		c.short = false
		switch b := c.at(i); {
		case b == end:
			return nil, i, false
		case b == '\n':
			i, bol = i+1, true
			continue
		case b == ' ' || b == '\t' || b == '\r' && c.at(i+1) == '\n':
			i++
			continue
		}
		element := c.elementAt(i) > 0
		if n := c.breakAt(i); n > 0 && !element {
			if c.short && !c.final {
				return nil, i, false
			}
			i, bol = i+n, true
			continue
		}
		u = &unit{}
		switch {
		case element:
			stop = c.element(u, i)
		case !bol:
			stop = c.sentence(u, i)
		case c.fenceAt(i) > 0:
			stop = c.fenced(u, i)
		case c.at(i) == '>':
			stop = c.quoted(u, i)
		case c.headingAt(i) > 0:
			stop = c.line(u, i, heading)
		case c.at(i) == '|':
			stop = c.line(u, i, row)
			if c.ruleAt(stop + 1) {
				u.kind = columns
			}
		case c.markerAt(i) > 0:
			if i += c.markerAt(i); c.short && !c.final {
				return nil, i, false
			}
			continue // what follows the mark may be any block
		default:
			stop = c.sentence(u, i)
		}
		if len(u.Keys) == 0 {
			stop = c.keysBelow(u, stop)
		}
		if c.short && !c.final {
			return nil, i, false
		}
		u.Start, u.End = i, i+len(strings.TrimRight(c.s[i:stop], " \t\r\n"))
		u.Text = c.s[u.Start:u.End]
		if len(u.Keys) > 0 || len(u.wrong) > 0 || u.hasWord() {
			return u, stop, true
		}
		i, bol = stop, false
	}
}

// hasWord reports whether there is a letter or number beside the citations.
func (u *unit) hasWord() bool {
	return strings.ContainsFunc(u.without(u.marks), func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// without returns the text with some spans of the answer cut out of it, each leaving a space.
func (u *unit) without(cut []span) string {
	var b strings.Builder
	from := u.Start
	for _, s := range cut {
		if s.start < from || s.end > u.End {
			continue
		}
		b.WriteString(u.Text[from-u.Start:s.start-u.Start] + " ")
		from = s.end
	}
	b.WriteString(u.Text[from-u.Start:])
	return b.String()
}

// fenceAt returns the length of a code fence at i, or 0.
func (c *scanner) fenceAt(i int) int {
	mark, n := c.at(i), 0
	if mark != '`' && mark != '~' {
		return 0
	}
	for c.at(i+n) == mark {
		n++
	}
	if n < 3 {
		return 0
	}
	return n
}

// fenced takes a fenced block with its fences. Brackets in it are code.
func (c *scanner) fenced(u *unit, i int) int {
	u.kind = fence
	mark, n := c.at(i), c.fenceAt(i)
	if mark == '`' { // a backtick behind the fence: it is a code span of a line
		for k := i + n; c.at(k) != '\n' && c.at(k) != end; k++ {
			if c.at(k) == '`' {
				u.kind = prose
				return c.sentence(u, i)
			}
		}
	}
	for i = c.lineEnd(i); c.at(i) != end; i = c.lineEnd(i) {
		i = c.blanks(i + 1)
		if c.at(i) == mark && c.fenceAt(i) >= n {
			if k := c.blanks(i + c.fenceAt(i)); c.at(k) == '\n' || c.at(k) == end {
				return k
			}
		}
	}
	return i
}

// quoted takes the lines of a block quote up to one without a mark or words.
func (c *scanner) quoted(u *unit, i int) int {
	u.kind = blockquote
	for {
		stop := c.lineEnd(i)
		c.citations(u, i, stop)
		k := c.blanks(min(stop+1, len(c.s)))
		if c.at(stop) == end || c.at(k) != '>' {
			return stop
		}
		for c.at(k) == '>' || c.at(k) == ' ' || c.at(k) == '\t' || c.at(k) == '\r' {
			k++
		}
		if c.at(k) == '\n' || c.at(k) == end {
			return stop
		}
		i = k
	}
}

func (c *scanner) headingAt(i int) int {
	n := 0
	for c.at(i+n) == '#' {
		n++
	}
	if b := c.at(i + n); n == 0 || n > 6 || b != ' ' && b != '\t' {
		return 0
	}
	return n
}

// line takes a whole line.
func (c *scanner) line(u *unit, i int, kind unitKind) int {
	u.kind = kind
	stop := c.lineEnd(i)
	c.citations(u, i, stop)
	return stop
}

// ruleAt reports whether the line at i is the rule below the head of a table.
func (c *scanner) ruleAt(i int) bool {
	dash := false
	for ; ; i++ {
		switch c.at(i) {
		case '-':
			dash = true
		case '|', ':', ' ', '\t', '\r':
		case '\n', end:
			return dash
		default:
			return false
		}
	}
}

// markerAt returns the length of a list mark at i with the white space behind it, or 0: "- ", "* ", "1. ", "2) ", "a) ",
// "(iv) ".
func (c *scanner) markerAt(i int) int {
	k := i
	switch b := c.at(k); {
	case b == '-' || b == '*' || b == '+':
		k++
	case b >= 0x80:
		r, n := c.rune(k)
		if n == 0 || !strings.ContainsRune("•‣◦▪▫●○■□◆◇⁃·–→✓✔➢➤", r) {
			return 0
		}
		k += n
	default:
		open := b == '('
		if open {
			k++
		}
		from, digits := k, true
		for d := c.at(k); d >= '0' && d <= '9' || d >= 'a' && d <= 'z'; d = c.at(k) {
			digits = digits && d <= '9'
			if k++; k-from > 3 {
				return 0
			}
		}
		if k == from || !digits && k-from > 1 && !open {
			return 0
		}
		if d := c.at(k); d != ')' && (d != '.' || open || !digits) {
			return 0
		}
		k++
	}
	if b := c.at(k); b != ' ' && b != '\t' {
		return 0
	}
	return c.blanks(k) - i
}

// citations notes the citations of a line.
func (c *scanner) citations(u *unit, i, stop int) {
	for i < stop {
		if r, n := c.mark(i); closing[r] != "" {
			if q, close, ok := c.quotation(i); ok && close <= stop {
				u.quotes = append(u.quotes, q)
				i = close
			} else {
				if c.lone(i) {
					u.lone = append(u.lone, span{i, i + n})
				}
				i += n
			}
			continue
		}
		switch c.at(i) {
		case '\\':
			i++
		case '`':
			i = min(c.codeSpan(i), stop) - 1
		case '[':
			if _, _, e := c.bracketAt(i); e <= stop {
				i = c.cite(u, i) - 1
			}
		}
		i++
	}
}

// bracketAt reads square brackets at i.
func (c *scanner) bracketAt(i int) (keys []string, b bracket, stop int) {
	for k := i + 1; k < i+maxBracket; k++ {
		switch c.at(k) {
		case ']':
			keys, b = parseKeys(c.s[i+1 : k])
			return keys, b, k + 1
		case '[', end:
			return nil, notCited, i + 1
		}
	}
	return nil, notCited, i + 1
}

// cite notes the citation at i and returns where it ends.
func (c *scanner) cite(u *unit, i int) int {
	keys, b, stop := c.bracketAt(i)
	switch b {
	case cited:
		u.marks = append(u.marks, span{i, stop})
		for _, k := range keys {
			u.addKey(k)
		}
	case malformed:
		u.wrong = append(u.wrong, span{i, stop})
	default:
		return i + 1
	}
	return stop
}

func (u *unit) addKey(k string) {
	for _, have := range u.Keys {
		if have == k {
			return
		}
	}
	u.Keys = append(u.Keys, k)
}

// codeSpan returns the end of the code span at i, or of its backticks when nothing closes them.
func (c *scanner) codeSpan(i int) int {
	n := 0
	for c.at(i+n) == '`' {
		n++
	}
	for k := i + n; k < i+n+maxSpan; {
		switch c.at(k) {
		case end:
			return i + n
		case '\n':
			if b := c.at(c.blanks(k + 1)); b == '\n' || b == end {
				return i + n
			}
			k++
		case '`':
			m := 0
			for c.at(k+m) == '`' {
				m++
			}
			if m == n {
				return k + m
			}
			k += m
		default:
			k++
		}
	}
	return i + n
}

const (
	maxSpan  = 1000 // bytes of a code span
	maxQuote = 8000 // bytes of a quotation within a paragraph
	maxName  = 400  // bytes between single marks
)

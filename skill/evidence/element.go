package evidence

import (
	"html"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
)

const quoteElement = "blockquote"

// elementAt returns the length of the tag at i that begins a block quote of HTML, or 0.
func (c *scanner) elementAt(i int) int {
	n := c.breakAt(i)
	if n == 0 || c.at(i) != '<' || len(c.s) < i+1+len(quoteElement) || !strings.EqualFold(c.s[i+1:i+1+len(quoteElement)], quoteElement) {
		return 0
	}
	return n
}

// elementEnd returns where the block quote of HTML ends that begins at i: behind its end tag, or with the text.
func (c *scanner) elementEnd(i int) int {
	for depth := 0; c.at(i) != end; {
		n := 0
		if c.at(i) == '<' {
			n = c.breakAt(i)
		}
		switch {
		case n == 0:
			i++
			continue
		case c.elementAt(i) > 0:
			depth++
		case strings.HasPrefix(strings.ToLower(c.s[i:i+n]), "</"+quoteElement):
			depth--
		}
		if i += n; depth == 0 {
			break
		}
	}
	return i
}

// element takes a block quote of HTML with the keys behind its end tag on the line. One that nothing ends goes on to the end of the
// text, as it does for who reads it.
func (c *scanner) element(u *unit, start int) int {
	u.kind, u.element = blockquote, true
	i := c.elementEnd(start)
	c.citations(u, start, i)
	if len(u.Keys) == 0 {
		if p := c.keysBehind(i); p > i && !c.plainWord(c.blanks(p)) {
			c.citeAll(u, i, p)
			return p
		}
	}
	return i
}

var (
	// quoteTag begins a tag of a block quote, oneElement is a whole one. blockTag parts what stands before and behind it, inlineTag does not; others stay, so
	// that nothing can be hidden in a tag that no reader of HTML knows.
	quoteTag   = lazyregexp.New(`(?i)</?` + quoteElement)
	oneElement = lazyregexp.New(`(?is)<` + quoteElement + `\b[^<>]*>.*?(?:</` + quoteElement + `\s*>|$)`)
	blockTag   = lazyregexp.New(`(?i)</?(?:blockquote|p|br|div|footer|figcaption|ul|ol|li)` + attributes + `\s*/?>`)
	inlineTag  = lazyregexp.New(`(?i)</?(?:a|b|i|u|em|strong|span|cite|q|small|code|sub|sup|mark)` + attributes + `\s*>`)
)

const attributes = `(?:\s+[a-z-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'))*`

// quotedElement returns what the elements in text, a part of the unit, hold as they are read. A key that only the tags within hide is
// part of the words.
func (u *unit) quotedElement(text string) string {
	s := inlineTag.ReplaceAllString(blockTag.ReplaceAllString(text, "\n"), "")
	plain := &unit{kind: blockquote, Sentence: Sentence{Text: s, End: len(s)}}
	c := &scanner{s: s, final: true}
	c.citations(plain, 0, len(s))
	for _, k := range plain.Keys {
		if !slices.Contains(u.Keys, k) {
			return strings.TrimSpace(s)
		}
	}
	return plain.quoted(html.UnescapeString)
}

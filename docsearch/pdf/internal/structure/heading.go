package structure

import (
	"strings"
	"unicode"

	"github.com/findspot/findspot/docsearch/pdf/internal/layout"
	"github.com/findspot/findspot/docsearch/pdf/internal/pattern"
	"github.com/findspot/findspot/internal/clause"
	"github.com/findspot/findspot/internal/hyphen"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// HasLeaders reports whether a line is like an entry of a table of contents: it has four points, three with blanks between, or two
// ellipses in a row, or ends in three blanks and a number of up to four digits. It is asked of every line several times.
func HasLeaders(s string) bool {
	if strings.Contains(s, "....") || strings.Contains(s, "……") {
		return true
	}
	blank := func(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' && c != '\v' }
	n := len(s)
	i := n
	for i > 0 && s[i-1] >= '0' && s[i-1] <= '9' {
		i--
	}
	if i < n && n-i <= 4 && i >= 3 && blank(s[i-1]) && blank(s[i-2]) && blank(s[i-3]) {
		return true
	}
	run := 0
	for i := strings.IndexByte(s, '.'); i >= 0; {
		if i > 0 && blank(s[i-1]) {
			if run++; run == 3 {
				return true
			}
		} else {
			run = 0
		}
		next := strings.IndexByte(s[i+1:], '.')
		if next != 1 { // a blank has to lie between, and nothing else
			run = 0
		}
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return false
}

// known reports whether a heading, its number aside, is one that documents of all kinds have.
func known(text string) bool {
	_, title, _ := clause.Parse(text)
	return clause.Known(title)
}

// allCaps reports whether the letters of s are capitals, four of them at least.
func allCaps(s string) bool {
	upper := 0
	for _, r := range s {
		if unicode.IsLower(r) {
			return false
		}
		if unicode.IsUpper(r) {
			upper++
		}
	}
	return upper >= 4
}

// abstractWord is a heading that is set small.
var abstractWord = lazyregexp.New(`^(?i:abstract|summary|zusammenfassung|acknowledge?ments?|references)[.:]?$`)

// HeadingShape reports whether a line looks like a heading by its letters alone. What stands around it is for the caller.
func (st *Style) HeadingShape(l *layout.Line, text string) bool {
	n := len([]rune(text))
	if l.Dx < .99 || n < 2 || n > 180 || strings.HasSuffix(text, ",") || strings.HasSuffix(text, ";") || HasLeaders(text) || text != l.Text && HasLeaders(l.Text) {
		return false
	}
	if strings.Contains(text, "@") {
		return false
	}
	letters, digits, odd := 0, 0, 0
	for _, r := range text {
		switch {
		case r < 0x80 && pattern.IsLetter(byte(r)):
			letters++
		case r == ' ':
		case wide(r):
			letters += 2 // a syllable or a word
		case unicode.IsLetter(r):
			letters++
		case unicode.IsDigit(r):
			digits++
		case !unicode.IsSpace(r) && !strings.ContainsRune(".,:;-–—()/&'’“”\"?!", r):
			odd++
		}
	}
	num, title, numbered := clause.Parse(text)
	if numbered && num.Kind == clause.Decimal && num.Word == "" && len(num.Text) > 2 && !strings.Contains(num.Text, ".") && !num.Point && letters < 4 {
		return false // "404 m"
	}
	if numbered && title == "" {
		return (num.Word != "" || strings.Contains(num.Text, ".")) && l.Size > 1.1*st.BodySize
	}
	if letters < 3 || (letters+digits)*5 < (n-strings.Count(text, " "))*3 || odd*4 > n || layout.IsMono(l) && !st.Mono {
		return false
	}
	first, _ := firstLetter(title)
	if numbered && !unicode.IsUpper(first) && !unicode.IsTitle(first) && unicode.IsLower(first) && num.Depth < 2 {
		return false // "3 of the four"
	}
	ratio := l.Size / st.BodySize
	bold := layout.IsBold(l) && !st.Bold
	end := text[len(text)-1]
	sentence := end == '.' && n > 60
	switch {
	case st.rich && !numbered && ratio < 1.12 && !clause.Known(text):
		return false
	case st.noisy && !numbered && ratio < 1.4 && !clause.Known(text):
		return false
	case ratio >= 1.12 && !sentence:
		return true
	case ratio < .88 && !abstractWord.MatchString(text):
		return false
	case numbered && num.Kind != clause.Roman && num.Depth >= 2 && ratio >= .98 && n < 120 && end != '.' && end != ':' && unicode.IsUpper(first) && st.family != "" && family(l.Font) != st.family:
		return true // set in another family, as standards do
	case clause.Known(text) && n < 30 && ratio >= .8 && len(l.Segs) == 1 && abstractWord.MatchString(text):
		return true
	case bold && ratio >= .93 && n < 120 && !sentence && (numbered || end != '.' || known(text)) && end != ':':
		return true
	case numbered && num.Kind == clause.Roman && allCaps(title):
		return true
	case numbered && allCaps(title) && n < 90 && num.Depth <= 3:
		return true
	case numbered && layout.IsItalic(l) && num.Kind == clause.Letter && num.Depth == 1 && n < 90 && end != '.':
		return true
	case numbered && layout.IsItalic(l) && num.Depth >= 2 && num.Kind == clause.Decimal && n < 90 && end != '.':
		return true
	case known(text) && n < 40 && ratio >= .95 && (bold || allCaps(text) || end != '.' && len(l.Segs) == 1 && unicode.IsUpper(first)):
		return true
	}
	return false
}

// wide reports whether a character is Chinese, Japanese or Korean.
func wide(r rune) bool { return hyphen.IsCJK(r) || r >= 0xAC00 && r <= 0xD7AF }

func firstLetter(s string) (rune, bool) {
	for _, r := range s {
		if unicode.IsLetter(r) {
			return r, true
		}
	}
	return 0, false
}

// Level is the depth of a heading of these looks, from 1.
func (st *Style) Level(l *layout.Line, text string) int {
	n, _, ok := clause.Parse(text)
	switch {
	case ok && n.Kind == clause.Decimal, ok && n.Kind == clause.Letter && (n.Depth > 1 || n.Word != ""):
		return min(n.Depth, 9)
	case ok && n.Kind == clause.Roman:
		return 1
	}
	if !ok && clause.Known(text) {
		return 1
	}
	if v := st.levels[lookOf(l)]; v > 0 {
		return v
	}
	// A look that no sampled page has: between those that are known.
	level := 1
	w := lookOf(l).weight()
	for k, v := range st.levels {
		if k.weight() > w {
			level = max(level, v+1)
		}
	}
	return min(level, 6)
}

// Squash keeps letters and digits in lower case, for comparing a heading with its entry in the outline.
func Squash(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, strings.ReplaceAll(s, "ß", "ss"))
}

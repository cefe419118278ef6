package inline

import (
	"strings"
	"unicode"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// Escape keeps signs of the text from being read as Markdown (CommonMark 0.31, 2.4).
func Escape(s string) string {
	plain := true
	for i := 0; i < len(s) && plain; i++ {
		switch s[i] {
		case '*', '_', '$', '<', '`', '\\', '[', '&', '~', '|':
			plain = false
		}
	}
	if plain {
		return s
	}
	var b strings.Builder
	rs := []rune(s)
	at := func(i int) rune {
		if i < 0 || i >= len(rs) {
			return ' '
		}
		return rs[i]
	}
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for i, r := range rs {
		switch r {
		case '*', '$', '`':
			b.WriteByte('\\')
		case '\\':
			if n := at(i + 1); n < 0x80 && (unicode.IsPunct(n) || unicode.IsSymbol(n)) {
				b.WriteByte('\\')
			}
		case '_':
			if !word(at(i-1)) || !word(at(i+1)) {
				b.WriteByte('\\')
			}
		case '<':
			if n := at(i + 1); unicode.IsLetter(n) || n == '/' || n == '!' || n == '?' {
				b.WriteByte('\\')
			}
		case '&':
			if n := at(i + 1); n == '#' || unicode.IsLetter(n) && strings.ContainsRune(string(rs[i+1:]), ';') {
				b.WriteByte('\\')
			}
		case '[':
			if rest := string(rs[i:]); strings.Contains(rest, "](") || strings.Contains(rest, "]:") {
				b.WriteByte('\\')
			}
		case '~':
			if at(i+1) == '~' || at(i-1) == '~' {
				b.WriteByte('\\')
			}
		}
		b.WriteRune(r)
	}
	return b.String()
}

var blockStart = lazyregexp.New(`^(?:([-+>])(\s|$)|(#{1,6})(\s|$)|(\d{1,9})([.)])(\s|$)|([=-]{3,}|~{3,})\s*$)`)

// GuardStart keeps the beginning of a paragraph from being read as a list, a heading or a quotation.
func GuardStart(s string) string {
	m := blockStart.FindStringSubmatchIndex(s)
	switch {
	case m == nil:
		return s
	case m[10] >= 0: // a number: the point is what makes it a list
		return s[:m[12]] + `\` + s[m[12]:]
	}
	return `\` + s
}

package source

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// HoldsWord reports whether the word stands in the text as an identifier of its own.
func HoldsWord(text []byte, word string) bool {
	w := []byte(word)
	for at := 0; len(w) > 0; {
		i := bytes.Index(text[at:], w)
		if i < 0 {
			return false
		}
		i += at
		if s, e := NextIdent(text, i); s == i && e == i+len(w) && !EndsInIdent(text[:i]) {
			return true
		}
		at = i + 1
	}
	return false
}

// NextIdentAt returns the identifier that begins at an offset of a line.
func NextIdentAt(line []byte, at int) (start, end int, ok bool) {
	if at < 0 || at >= len(line) {
		return 0, 0, false
	}
	start, end = NextIdent(line, at)
	return start, end, start == at && end > start
}

// NextIdent returns the offsets of the first identifier at or after from, or -1, -1. An identifier is a run of letters,
// digits, marks and "_" and "$" that does not begin with a digit; this is wide enough for every language served.
func NextIdent(text []byte, from int) (start, end int) {
	for at := from; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		if !IsIdent(r) {
			at += size
			continue
		}
		start, first := at, r
		for at < len(text) {
			r, size := utf8.DecodeRune(text[at:])
			if !IsIdent(r) {
				break
			}
			at += size
		}
		if first < '0' || first > '9' {
			return start, at
		}
	}
	return -1, -1
}

func IsIdent(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)
}

// EndsInIdent reports whether the last rune of text belongs to an identifier.
func EndsInIdent(text []byte) bool {
	r, size := utf8.DecodeLastRune(text)
	return size > 0 && IsIdent(r)
}

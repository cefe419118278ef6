package message

import (
	"strings"
	"unicode"
)

// Clip is the first n runes of a text, with dots when there are more.
func Clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "..."
	}
	return s
}

// OneLine keeps what a record says from moving the cursor of whoever reads a message about it.
func OneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, s)
}

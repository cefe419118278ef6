package skill

import (
	"strings"
	"unicode"
)

func clipText(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "..."
	}
	return s
}

// oneLineOf keeps what a record says from moving the cursor of whoever reads a message about it.
func oneLineOf(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, s)
}

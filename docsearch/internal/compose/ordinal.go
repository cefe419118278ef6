package compose

import (
	"fmt"
	"strings"
)

// Ordinal returns how n is written in a style: 'a' and 'A' as a letter, 'i' and 'I' as a Roman number, and else, or where the style has no sign for n, in
// digits.
func Ordinal(n int, style byte) string {
	switch {
	case (style == 'a' || style == 'A') && n >= 1 && n <= 26:
		return string(rune(int(style) + n - 1))
	case (style == 'i' || style == 'I') && n >= 1 && n <= 3999:
		var b strings.Builder
		for _, p := range []struct {
			value int
			sign  string
		}{
			{1000, "m"}, {900, "cm"}, {500, "d"}, {400, "cd"}, {100, "c"}, {90, "xc"}, {50, "l"}, {40, "xl"}, {10, "x"}, {9, "ix"}, {5, "v"}, {4, "iv"}, {1, "i"},
		} {
			for n >= p.value {
				b.WriteString(p.sign)
				n -= p.value
			}
		}
		if style == 'I' {
			return strings.ToUpper(b.String())
		}
		return b.String()
	}
	return fmt.Sprint(n)
}

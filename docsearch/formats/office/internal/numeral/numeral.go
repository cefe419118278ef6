package numeral

import (
	"strconv"
	"strings"
)

// maxLetters bounds how often a letter is repeated: numbers beyond are decimal.
const maxLetters = 30

// Letters counts a to z, then aa, bb to zz, as office programs do. What has no such form is decimal.
func Letters(n int) string {
	if n < 1 || n > 26*maxLetters {
		return strconv.Itoa(n)
	}
	return strings.Repeat(string(rune('a'+(n-1)%26)), (n-1)/26+1)
}

// Roman writes I, II, III, IV and on. What has no such form is decimal.
func Roman(n int) string {
	if n < 1 || n >= 4000 {
		return strconv.Itoa(n)
	}
	var b strings.Builder
	for _, d := range []struct {
		n int
		s string
	}{
		{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"},
	} {
		for n >= d.n {
			b.WriteString(d.s)
			n -= d.n
		}
	}
	return b.String()
}

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

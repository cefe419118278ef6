package visible

import "strings"

// Mark is Text of s with open and close around byte ranges of it, which are in order; ranges that are not, or lie outside, are left out.
func Mark(s string, ranges [][2]int, open, close string) string {
	var b strings.Builder
	at := 0
	for _, r := range ranges {
		if r[0] < at || r[1] > len(s) || r[0] >= r[1] {
			continue
		}
		b.WriteString(Text(s[at:r[0]]) + open + Text(s[r[0]:r[1]]) + close)
		at = r[1]
	}
	b.WriteString(Text(s[at:]))
	return b.String()
}

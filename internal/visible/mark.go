package visible

import "strings"

// Mark is Text of s with open and close around byte ranges of it, which are in order; ranges that are not, or lie outside, are left out. Where marks would
// part letters that must be seen together (see Text), there are none.
func Mark(s string, ranges [][2]int, open, close string) string {
	var marked, plain strings.Builder
	put := func(part, open, close string) {
		part = Text(part)
		plain.WriteString(part)
		marked.WriteString(open + part + close)
	}
	at := 0
	for _, r := range ranges {
		if r[0] < at || r[1] > len(s) || r[0] >= r[1] {
			continue
		}
		put(s[at:r[0]], "", "")
		put(s[r[0]:r[1]], open, close)
		at = r[1]
	}
	put(s[at:], "", "")
	if whole := Text(s); whole != plain.String() {
		return whole
	}
	return marked.String()
}

package pdf

import "strings"

// rawText is the page's text: a line each, an empty line nowhere.
func rawText(lines []line) string {
	size := 0
	for i := range lines {
		size += len(lines[i].text) + 1
	}
	var b strings.Builder
	b.Grow(size)
	for i := range lines {
		t := lines[i].text
		if strings.TrimSpace(t) == "" {
			continue
		}
		b.WriteString(t)
		b.WriteByte('\n')
	}
	return b.String()
}

package layout

import "strings"

// Text is the page's text: a line each, an empty line nowhere.
func Text(lines []Line) string {
	size := 0
	for i := range lines {
		size += len(lines[i].Text) + 1
	}
	var b strings.Builder
	b.Grow(size)
	for i := range lines {
		t := lines[i].Text
		if strings.TrimSpace(t) == "" {
			continue
		}
		b.WriteString(t)
		b.WriteByte('\n')
	}
	return b.String()
}

package lspclient

import (
	"crypto/sha256"
	"slices"
	"strings"
)

// digest identifies the text.
func (c *content) digest() [sha256.Size]byte { return sha256.Sum256(c.text) }

// offset returns the offset of a place, which must be one of the text.
func (c *content) offset(line, col int) int {
	return min(c.starts[line-1]+col-1, len(c.text))
}

// position returns the line and byte column of an offset.
func (c *content) position(offset int) (line, col int) {
	line, found := slices.BinarySearch(c.starts, offset)
	if !found {
		line--
	}
	return line + 1, offset - c.starts[line] + 1
}

// opener returns the line, without blanks at its ends, whose last bracket is still open where a line begins; "" when
// there is none near. Brackets in strings and comments are not told apart: lists of imports have none.
func (c *content) opener(n int) string {
	const far = 200
	depth := 0
	for at := n - 1; at > 0 && at >= n-far; at-- {
		raw, _ := c.line(at)
		for _, b := range slices.Backward(raw[:min(len(raw), 2000)]) {
			switch b {
			case ')', ']', '}':
				depth++
			case '(', '[', '{':
				depth--
			}
			if depth < 0 {
				return strings.TrimSpace(string(raw[:min(len(raw), 2000)]))
			}
		}
	}
	return ""
}

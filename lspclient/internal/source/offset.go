package source

import (
	"crypto/sha256"
	"slices"
	"strings"
)

// Digest identifies the text.
func (c *Text) Digest() [sha256.Size]byte { return sha256.Sum256(c.Bytes) }

// Offset returns the offset of a place, which must be one of the text.
func (c *Text) Offset(line, col int) int {
	return min(c.Starts[line-1]+col-1, len(c.Bytes))
}

// Place returns the line and byte column of an offset.
func (c *Text) Place(offset int) (line, col int) {
	line, found := slices.BinarySearch(c.Starts, offset)
	if !found {
		line--
	}
	return line + 1, offset - c.Starts[line] + 1
}

// Opener returns the line, without blanks at its ends, whose last bracket is still open where a line begins; "" when
// there is none near. Brackets in strings and comments are not told apart: lists of imports have none.
func (c *Text) Opener(n int) string {
	const far = 200
	depth := 0
	for at := n - 1; at > 0 && at >= n-far; at-- {
		raw, _ := c.Line(at)
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

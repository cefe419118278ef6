package sourcetext

import (
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// maxComment bounds the lines of a comment that is taken for one about the declaration below.
const maxComment = 200

// The bounds of what is read above a declaration, in bytes.
const (
	maxOpening = 32 << 10 // back to where a comment opens
	maxAhead   = 200      // of its own line
)

// ahead is what may stand before a declaration on its line, such as "export default", "const f =" and "module.exports =".
var ahead = lazyregexp.New(`^[\w$. \t]*=?[ \t]*$`)

// annotation is a line that may stand between a declaration and its comment where it is no part of the declaration: a decorator of TypeScript.
var annotation = lazyregexp.New(`^@[\w.$]+(?:\(.*\))?$`)

// CommentAbove gives where the comment begins that stands right above a declaration, which begins at a byte; that byte where there
// is none. It goes by the looks of whole lines, which are those of all our languages: a line that begins with "//", "/*", "*",
// or "#" and a blank or a bracket (a comment of Python, an attribute of Rust).
func CommentAbove(src string, start int32) int32 {
	line := int32(strings.LastIndexByte(src[:start], '\n') + 1)
	if start-line > maxAhead || !ahead.MatchString(src[line:start]) && !isComment(src[line:start]) {
		return start
	}
	out := start
	for range maxComment {
		if line == 0 {
			break
		}
		before := int32(strings.LastIndexByte(src[:line-1], '\n') + 1)
		text := strings.TrimSpace(src[before : line-1])
		switch {
		case strings.HasSuffix(text, "*/") && !strings.HasPrefix(text, "//"):
			// The lines within may begin with anything.
			from := max(0, line-1-maxOpening)
			opens := int32(strings.LastIndex(src[from:line-1], "/*"))
			if opens < 0 || strings.Count(src[from+opens:line-1], "\n") > maxComment {
				return out
			}
			opens += from
			before = int32(strings.LastIndexByte(src[:opens], '\n') + 1)
			if strings.TrimSpace(src[before:opens]) != "" {
				return out // the comment stands behind code
			}
		case annotation.MatchString(text):
			line = before
			continue // with a comment above it, or not at all
		case !isComment(text):
			return out
		}
		out, line = before, before
	}
	return out
}

// isComment tells whether a line looks like one of a comment.
func isComment(line string) bool {
	s := strings.TrimLeft(line, " \t")
	if len(s) < 1 {
		return false
	}
	switch s[0] {
	case '/':
		return strings.HasPrefix(s, "//") || strings.HasPrefix(s, "/*")
	case '*':
		return len(s) == 1 || s[1] == ' ' || s[1] == '/' || s[1] == '*' || s[1] == '\t' || s[1] == '\r'
	case '#':
		return len(s) == 1 || s[1] == ' ' || s[1] == '[' || s[1] == '#' || s[1] == '!' || s[1] == '\t' || s[1] == '\r'
	}
	return false
}

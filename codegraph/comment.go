package codegraph

import "strings"

// maxComment bounds the lines of a comment that is taken for one about the declaration below.
const maxComment = 200

// aboveOf gives where the comment begins that stands right above a declaration, which begins at a byte; that byte where there
// is none. It goes by the looks of whole lines, which are those of all our languages: a line that begins with "//", "/*", "*",
// or "#" and a blank or a bracket (a comment of Python, an attribute of Rust).
func aboveOf(src string, start int32) int32 {
	line := int32(strings.LastIndexByte(src[:start], '\n') + 1)
	if strings.TrimLeft(src[line:start], " \t") != "" && !isComment(src[line:start]) {
		return start
	}
	out := start
	for range maxComment {
		if line == 0 {
			break
		}
		before := int32(strings.LastIndexByte(src[:line-1], '\n') + 1)
		text := strings.TrimSpace(src[before : line-1])
		if !isComment(text) {
			if !strings.HasSuffix(text, "*/") {
				break
			}
			opens := strings.LastIndex(src[:line-1], "/*")
			if opens < 0 || strings.Count(src[opens:line-1], "\n") > maxComment {
				break
			}
			before = int32(strings.LastIndexByte(src[:opens], '\n') + 1)
			if strings.TrimSpace(src[before:opens]) != "" {
				break // the comment stands behind code
			}
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

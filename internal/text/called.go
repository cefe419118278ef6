package text

import (
	"bytes"
	"strings"
)

// Called tells whether the name that ends at an offset is called there: "(" comes behind it, after generic arguments,
// "?." or "!" where there are some. The name of a class in "new X(" is called in the same way. The text after the name decides
// alone, in any language.
func Called(b []byte, at int) bool {
	skip := func() {
		for at < len(b) && (b[at] == ' ' || b[at] == '\t') {
			at++
		}
	}
	skip()
	rest := b[min(at, len(b)):]
	switch {
	case bytes.HasPrefix(rest, []byte("?.(")):
		return true
	case bytes.HasPrefix(rest, []byte("!(")):
		return true
	case bytes.HasPrefix(rest, []byte("::<")):
		at += 2
	}
	if at < len(b) && (b[at] == '<' || b[at] == '[') {
		n := generics(b[at:])
		if n == 0 {
			return false
		}
		at += n
		skip()
	}
	return at < len(b) && b[at] == '('
}

// generics gives the length of generic arguments in front of b, 0 when there are none.
func generics(b []byte) int {
	const most = 400
	var open []byte
	for i, c := range b {
		switch c {
		case '<', '[', '(', '{':
			open = append(open, c)
		case '>', ']', ')', '}':
			if c == '>' && i > 0 && (b[i-1] == '-' || b[i-1] == '=') { // an arrow
				continue
			}
			if len(open) == 0 || strings.IndexByte("<[({", open[len(open)-1]) != strings.IndexByte(">])}", c) {
				return 0
			}
			if open = open[:len(open)-1]; len(open) == 0 {
				return i + 1
			}
		case ';', '"':
			return 0
		}
		if i > most {
			return 0
		}
	}
	return 0
}

package latex

import (
	"strings"
	"unicode/utf8"
)

// A frame is a text that is read: the document, an included file, or what a macro made.
type frame struct {
	s string
	i int
}

// An input is a stack of texts; the top one is read first.
type input struct {
	frames []frame
	at     bool // "@" is a letter
	pushed int  // bytes and steps so far, of what macros made
	steps  int
}

// push puts a text before what is still to be read. It does nothing beyond the bounds.
func (in *input) push(s string) {
	if s == "" {
		return
	}
	if in.steps++; in.steps > maxSteps || in.pushed+len(s) > maxExpanded || len(in.frames) > maxNested {
		return
	}
	in.pushed += len(s)
	in.frames = append(in.frames, frame{s, 0})
}

// top returns the frame to read from, or nil at the end. floor is the number of frames below which it does not go.
func (in *input) top(floor int) *frame {
	for len(in.frames) > floor {
		f := &in.frames[len(in.frames)-1]
		if f.i < len(f.s) {
			return f
		}
		in.frames = in.frames[:len(in.frames)-1]
	}
	return nil
}

// peek returns the next byte, and 0 at the end.
func (in *input) peek(floor int) byte {
	if f := in.top(floor); f != nil {
		return f.s[f.i]
	}
	return 0
}

// blanks skips white space and comments, but no empty line. It reports whether there were any.
func (in *input) blanks(floor int) bool {
	any, lines := false, 0
	for f := in.top(floor); f != nil; f = in.top(floor) {
		switch f.s[f.i] {
		case ' ', '\t':
			f.i++
		case '\n':
			if lines++; lines > 1 {
				f.i-- // an empty line ends a paragraph
				return any
			}
			f.i++
		case '%':
			in.comment(f)
			lines = 0
		default:
			return any
		}
		any = true
	}
	return any
}

// comment skips a comment with the end of its line and the blanks that the next begins with.
func (in *input) comment(f *frame) {
	if k := strings.IndexByte(f.s[f.i:], '\n'); k >= 0 {
		f.i += k + 1
	} else {
		f.i = len(f.s)
	}
	for f.i < len(f.s) && (f.s[f.i] == ' ' || f.s[f.i] == '\t') {
		f.i++
	}
}

func (in *input) letter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '@' && in.at
}

// name reads the name of a command after its backslash: letters, or one sign.
func (in *input) name(f *frame) string {
	from := f.i
	for f.i < len(f.s) && in.letter(f.s[f.i]) {
		f.i++
	}
	if f.i == from && f.i < len(f.s) {
		_, n := utf8.DecodeRuneInString(f.s[f.i:])
		f.i += n
	}
	return f.s[from:f.i]
}

// arg reads an argument as it stands: a group without its braces, a command, or one sign.
func (in *input) arg(floor int) string {
	in.blanks(floor)
	f := in.top(floor)
	if f == nil || f.s[f.i] == '}' || f.s[f.i] == '\n' {
		return ""
	}
	switch f.s[f.i] {
	case '{':
		end := closing(f.s, f.i)
		s := f.s[f.i+1 : end]
		f.i = min(end+1, len(f.s))
		return s
	case '\\':
		from := f.i
		f.i++
		in.name(f)
		return f.s[from:f.i]
	}
	_, n := utf8.DecodeRuneInString(f.s[f.i:])
	f.i += n
	return f.s[f.i-n : f.i]
}

// maxOption bounds what stands in brackets, in bytes.
const maxOption = 4_000

// option reads what stands in brackets after a command. ok is false where nothing does.
func (in *input) option(floor int) (s string, ok bool) {
	f := in.top(floor)
	if f == nil {
		return "", false
	}
	was := f.i
	in.blanks(floor)
	if g := in.top(floor); g == nil || g.s[g.i] != '[' {
		if g == f {
			f.i = was
		}
		return "", false
	} else {
		f = g
	}
	if strings.IndexByte(f.s[f.i:min(len(f.s), f.i+maxOption)], ']') < 0 {
		return "", false
	}
	depth := 0
	for i := f.i + 1; i < min(len(f.s), f.i+maxOption); i++ {
		switch f.s[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth--; depth < 0 {
				return "", false
			}
		case ']':
			if depth == 0 {
				s = f.s[f.i+1 : i]
				f.i = i + 1
				return s, true
			}
		case '\n':
			if strings.HasPrefix(f.s[i:], "\n\n") {
				return "", false
			}
		}
	}
	return "", false
}

// angle skips an overlay specification of beamer, such as <1->.
func (in *input) angle(floor int) {
	if f := in.top(floor); f != nil && f.s[f.i] == '<' {
		if k := strings.IndexByte(f.s[f.i:min(len(f.s), f.i+60)], '>'); k > 0 && strings.Trim(f.s[f.i+1:f.i+k], "0123456789-+,.|@: abcdefghijklmnopqrstuvwxyz") == "" {
			f.i += k + 1
		}
	}
}

// star skips a star.
func (in *input) star(floor int) bool {
	if f := in.top(floor); f != nil && f.s[f.i] == '*' {
		f.i++
		return true
	}
	return false
}

// closing returns where the group that begins at i ends, or the length of s.
func closing(s string, i int) int {
	depth := 0
	for ; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '%':
			if k := strings.IndexByte(s[i:], '\n'); k >= 0 {
				i += k
			} else {
				return len(s)
			}
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(s)
}

// until returns what stands before an end such as \end{verbatim}, and goes behind it; without one, all that is left of the text that is read.
func (in *input) until(floor int, end string) string {
	f := in.top(floor)
	if f == nil {
		return ""
	}
	s := f.s[f.i:]
	if k := strings.Index(s, end); k >= 0 {
		f.i += k + len(end)
		return s[:k]
	}
	f.i = len(f.s)
	return s
}

// body returns what stands in an environment, others of its name within it included, and goes behind its end.
func (in *input) body(floor int, name string) string {
	f := in.top(floor)
	if f == nil {
		return ""
	}
	begin, end, depth := `\begin{`+name+`}`, `\end{`+name+`}`, 1
	for i := f.i; i < len(f.s); i++ {
		switch f.s[i] {
		case '%':
			if k := strings.IndexByte(f.s[i:], '\n'); k >= 0 {
				i += k
			} else {
				i = len(f.s)
			}
		case '\\':
			if strings.HasPrefix(f.s[i:], begin) {
				depth++
			} else if strings.HasPrefix(f.s[i:], end) {
				if depth--; depth == 0 {
					s := f.s[f.i:i]
					f.i = i + len(end)
					return s
				}
			}
			i++
		}
	}
	s := f.s[f.i:]
	f.i = len(f.s)
	return s
}

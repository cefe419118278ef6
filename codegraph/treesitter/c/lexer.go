package c

import (
	"bytes"
	"strings"

	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// A token is one token of C or C++ outside of directives and comments.
type token struct {
	start, end int32
	kind       byte // 'a' name or keyword, '0' number, '"' string or character, or the punctuation's first byte
	first      bool // the first of its line
}

// A directive is one line for the preprocessor, with the lines that continue it.
type directive struct {
	start, end int32 // bytes, without the last newline
	tok        int32 // number of tokens before it
	name       string
	arg        string // what follows the name, comments and continuations taken out
}

// A byteRange is a half-open range of bytes.
type byteRange struct{ start, end int32 }

// A source is a C or C++ source on its way to the parser: the same bytes at the same places, with directives and
// macros that no grammar can know blanked.
type source struct {
	src, out     []byte
	cpp          bool
	toks         []token
	dirs         []directive
	conditional  []byteRange      // what stands under a condition
	erasable     map[string]int   // macros of this file that say nothing a reader of facts needs
	namespaces   []namespaceMacro // namespaces that macros open
	deadBranches []byteRange      // branches that are not read, in order
	defined      map[string]macro
	removed      []macroUse // macros that were taken out, in order
	class        string     // while macros are looked for: the class around
	pair         []int32    // by token: the bracket that closes it, or -1
}

// A macroUse is a macro that was taken out of the source, though it is used there.
type macroUse struct {
	byteRange
	call bool // with arguments
}

// A namespaceMacro is a namespace opened and closed by macros.
type namespaceMacro struct {
	byteRange
	name string
}

// preprocess readies a source for a grammar.
func preprocess(src []byte, cpp bool) *source {
	s := &source{src: src, out: bytes.Clone(src), cpp: cpp, erasable: map[string]int{}, defined: map[string]macro{}}
	s.lex()
	for i := range s.dirs {
		s.blank(s.dirs[i].start, s.dirs[i].end)
	}
	s.conditions()
	s.readDefinitions()
	s.match()
	s.macros()
	return s
}

// blank writes spaces over a range; line ends stay.
func (s *source) blank(from, to int32) {
	for i := from; i < to; i++ {
		if s.out[i] != '\n' && s.out[i] != '\r' {
			s.out[i] = ' '
		}
	}
}

// put writes one byte into white space at or behind an offset, where there is some.
func (s *source) put(at int32, c byte) {
	if int(at) < len(s.out) && (s.out[at] == ' ' || s.out[at] == '\t' || s.out[at] == '\n' || s.out[at] == '\r') {
		s.out[at] = c
	}
}

func (s *source) text(i int) string {
	if i < 0 || i >= len(s.toks) {
		return ""
	}
	return string(s.src[s.toks[i].start:s.toks[i].end])
}

func (s *source) kind(i int) byte {
	if i < 0 || i >= len(s.toks) {
		return 0
	}
	return s.toks[i].kind
}

func isIdent(c byte) bool {
	return c == '$' || core.IsWord(c)
}

// lex finds tokens and directives.
func (s *source) lex() { s.lexFrom(0, '#') }

// lexFrom finds tokens from an offset on; a line that begins with mark is a directive.
func (s *source) lexFrom(i int, mark byte) {
	src, n := s.src, len(s.src)
	first := true
	for i < n {
		c := src[i]
		switch {
		case c == '\n':
			first = true
			i++
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || c == '\\':
			i++
		case c == '/' && i+1 < n && (src[i+1] == '/' || src[i+1] == '*'):
			i = s.comment(i)
		case c == mark && first:
			i = s.directive(i)
		default:
			from := i
			kind := c
			switch {
			case c >= '0' && c <= '9' || c == '.' && i+1 < n && src[i+1] >= '0' && src[i+1] <= '9':
				kind = '0'
				for i++; i < n && (isIdent(src[i]) || src[i] == '.' || src[i] == '\'' && i+1 < n && isIdent(src[i+1])); i++ {
				}
			case isIdent(c):
				kind = 'a'
				for i++; i < n && isIdent(src[i]); i++ {
				}
				if i < n && src[i] == '"' {
					switch string(src[from:i]) {
					case "R", "LR", "uR", "UR", "u8R":
						kind, i = '"', s.raw(i)
					case "L", "u", "U", "u8":
						kind, i = '"', s.quoted(i)
					}
				}
			case c == '"' || c == '\'':
				kind, i = '"', s.quoted(i)
			default:
				i++
				if i < n {
					switch two := string(src[from : i+1]); two {
					case "::", "->", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=", "|=", "&=", "^=", "++", "--", "<<":
						i++
						kind = 'o'
						if two == "::" {
							kind = 'q'
						}
					}
				}
			}
			s.toks = append(s.toks, token{int32(from), int32(i), kind, first})
			first = false
		}
	}
}

// comment gives the offset behind a comment.
func (s *source) comment(i int) int {
	if s.src[i+1] == '*' {
		if j := bytes.Index(s.src[i+2:], []byte("*/")); j >= 0 {
			return i + 2 + j + 2
		}
		return len(s.src)
	}
	for ; i < len(s.src) && s.src[i] != '\n'; i++ {
		if s.src[i] == '\\' && i+1 < len(s.src) && s.src[i+1] == '\n' {
			i++
		}
	}
	return i
}

// quoted gives the offset behind a string or character constant; one that is not closed ends with its line.
func (s *source) quoted(i int) int {
	q := s.src[i]
	for i++; i < len(s.src) && s.src[i] != '\n'; i++ {
		if s.src[i] == '\\' {
			i++
		} else if s.src[i] == q {
			return i + 1
		}
	}
	return min(i, len(s.src))
}

// raw gives the offset behind a raw string whose quote is at i.
func (s *source) raw(i int) int {
	open := bytes.IndexByte(s.src[i:min(len(s.src), i+20)], '(')
	if open < 0 {
		return s.quoted(i)
	}
	end := ")" + string(s.src[i+1:i+open]) + `"`
	if j := bytes.Index(s.src[i+open:], []byte(end)); j >= 0 {
		return i + open + j + len(end)
	}
	return len(s.src)
}

// directive reads one directive and gives the offset behind it.
func (s *source) directive(i int) int {
	from := i
	var text []byte
	for i++; i < len(s.src) && s.src[i] != '\n'; {
		c := s.src[i]
		switch {
		case c == '\\' && i+1 < len(s.src) && s.src[i+1] == '\n':
			text = append(text, ' ')
			i += 2
		case c == '\\' && i+2 < len(s.src) && s.src[i+1] == '\r' && s.src[i+2] == '\n':
			text = append(text, ' ')
			i += 3
		case c == '/' && i+1 < len(s.src) && (s.src[i+1] == '*' || s.src[i+1] == '/'):
			text = append(text, ' ')
			i = s.comment(i)
		case c == '"' || c == '\'':
			j := s.quoted(i)
			text = append(text, s.src[i:j]...)
			i = j
		default:
			text = append(text, c)
			i++
		}
	}
	line := strings.TrimSpace(string(text))
	n := 0
	for n < len(line) && isIdent(line[n]) {
		n++
	}
	s.dirs = append(s.dirs, directive{start: int32(from), end: int32(i), tok: int32(len(s.toks)), name: line[:n], arg: strings.TrimSpace(line[n:])})
	return i
}

// match pairs the brackets.
func (s *source) match() {
	s.pair = make([]int32, len(s.toks))
	var open []int32
	for i, t := range s.toks {
		s.pair[i] = -1
		switch t.kind {
		case '(', '[', '{':
			open = append(open, int32(i))
		case ')', ']', '}':
			want := map[byte]byte{')': '(', ']': '[', '}': '{'}[t.kind]
			for j := len(open) - 1; j >= 0 && j >= len(open)-64; j-- { // an unbalanced one in between is skipped
				if s.toks[open[j]].kind == want {
					s.pair[open[j]], s.pair[i] = int32(i), open[j]
					open = open[:j]
					break
				}
			}
		}
	}
}

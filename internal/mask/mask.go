package mask

import (
	"path"
	"sort"
	"strings"
)

// A Class is what a byte of a source file belongs to.
type Class uint8

// The classes.
const (
	Code    Class = iota
	Comment       // a comment
	String        // a string literal, quotes included
)

// Known reports whether the package knows the lexical rules of a file with this name.
func Known(name string) bool { _, ok := rules[strings.ToLower(path.Ext(name))]; return ok }

type rule struct {
	line   string // starts a comment to the end of the line
	block  bool   // has /* */
	triple bool   // has """ and '''
	back   bool   // has ` over several lines
	char   bool   // ' begins a short character literal, else a string
}

var rules = func() map[string]rule {
	m := make(map[string]rule)
	add := func(r rule, exts ...string) {
		for _, e := range exts {
			m[e] = r
		}
	}
	add(rule{line: "#", triple: true}, ".py", ".pyi")
	add(rule{line: "//", block: true, back: true, char: true}, ".go")
	add(rule{line: "//", block: true, back: true}, ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts")
	add(rule{line: "//", block: true, char: true}, ".c", ".h", ".cc", ".cpp", ".hpp", ".java", ".rs")
	return m
}()

// Classes returns the class of every byte of src, by the rules of the file's extension; all is Code where the package
// does not know it. A literal that does not end ends with its line, so that one mistake does not swallow the file.
func Classes(name string, src []byte) []Class {
	out := make([]Class, len(src))
	for _, p := range Of(name, src) {
		for i := p.From; i < p.To; i++ {
			out[i] = p.Class
		}
	}
	return out
}

// A Part is a range of bytes that is no code.
type Part struct {
	From, To int
	Class    Class
}

// Parts are what is no code in a text, in order. Literals that touch are one part.
type Parts []Part

// At gives the part that a byte is in; for code one that is empty.
func (p Parts) At(i int) Part {
	n := sort.Search(len(p), func(k int) bool { return p[k].To > i })
	if n == len(p) || p[n].From > i {
		return Part{From: i, To: i}
	}
	return p[n]
}

// Of gives the parts of a text, as Classes has them.
func Of(name string, src []byte) Parts {
	r, ok := rules[strings.ToLower(path.Ext(name))]
	if !ok {
		return nil
	}
	var out Parts
	s := string(src)
	var begins [256]bool // something other than code
	for _, c := range []byte{r.line[0], '/', '"', '\'', '`'} {
		begins[c] = true
	}
	for i := 0; i < len(s); {
		if !begins[s[i]] {
			i++
			continue
		}
		rest := s[i:]
		end, c := 0, Code
		switch {
		case strings.HasPrefix(rest, r.line):
			end, c = lineEnd(s, i), Comment
		case r.block && strings.HasPrefix(rest, "/*"):
			end, c = after(s, i+2, "*/"), Comment
		case r.triple && (strings.HasPrefix(rest, `"""`) || strings.HasPrefix(rest, "'''")):
			end, c = closing(s, i+3, rest[:3], true), String
		case r.back && rest[0] == '`':
			end, c = after(s, i+1, "`"), String
		case rest[0] == '"':
			end, c = closing(s, i+1, `"`, false), String
		case rest[0] == '\'':
			end, c = closing(s, i+1, "'", false), String
			if r.char && end-i > 12 { // a lifetime or a lone quote, no character
				end, c = i+1, Code
			}
		}
		if end == 0 {
			i++
			continue
		}
		switch last := len(out) - 1; {
		case c == Code:
		case last >= 0 && out[last].To == i && out[last].Class == c:
			out[last].To = end
		default:
			out = append(out, Part{i, end, c})
		}
		i = end
	}
	return out
}

func lineEnd(s string, i int) int {
	if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(s)
}

func after(s string, i int, mark string) int {
	if n := strings.Index(s[i:], mark); n >= 0 {
		return i + n + len(mark)
	}
	return len(s)
}

func closing(s string, i int, quote string, lines bool) int {
	for ; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == '\n' && !lines:
			return i
		case strings.HasPrefix(s[i:], quote):
			return i + len(quote)
		}
	}
	return len(s)
}

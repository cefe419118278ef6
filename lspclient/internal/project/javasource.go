package project

import (
	"bytes"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/lspclient/internal/source"
)

// javaSource is what the head of a Java file says.
type javaSource struct {
	Package string // "" for the default package
	Imports []JavaImport
}

// JavaImport is one import. Of a static one the name is that of the type.
type JavaImport struct {
	Name string // "a.b.C"; with all set, of the package or type
	All  bool   // the import ends in ".*"
	stat bool
}

// Simple returns the name by which the file uses what it imports, "" when there are many.
func (i JavaImport) Simple() string {
	if i.All {
		return ""
	}
	return i.Name[strings.LastIndexByte(i.Name, '.')+1:]
}

// parseJava reads the head of a Java file: up to the first thing that is neither package nor import. Whatever the file
// holds it returns something.
func parseJava(text []byte) javaSource {
	var src javaSource
	code := JavaCode{Text: text}
	next := func() string {
		from, to, ok := code.Word()
		if !ok {
			return ""
		}
		return string(text[from:to])
	}
	for w := next(); w != ""; w = next() {
		switch w {
		case "package", "import":
			name, all, stat := code.name()
			if stat && !all { // the last part is a member
				if i := strings.LastIndexByte(name, '.'); i >= 0 {
					name = name[:i]
				}
			}
			switch {
			case name == "":
			case w == "package":
				src.Package = name
			default:
				src.Imports = append(src.Imports, JavaImport{Name: name, All: all || stat, stat: stat})
			}
		case "class", "interface", "enum", "record", "module", "public", "abstract", "final", "sealed", "open":
			return src
		}
	}
	return src
}

// JavaCode walks over a Java text without what stands in comments and literals.
type JavaCode struct {
	Text []byte
	At   int
	// escaped: the code holds a backslash, with which identifiers can be written in another way.
	escaped bool
}

// Word returns the next identifier or keyword.
func (c *JavaCode) Word() (from, to int, ok bool) {
	for c.skip() {
		start, end := source.NextIdent(c.Text[c.At:min(len(c.Text), c.At+maxIdent)], 0)
		if start == 0 {
			from, to = c.At, c.At+end
			c.At = to
			return from, to, true
		}
		if isDigit(c.Text[c.At]) { // with its letters, as in 0xCAFE and 10L
			for c.At < len(c.Text) && (isDigit(c.Text[c.At]) || c.Text[c.At] == '_' || 'a' <= c.Text[c.At]|0x20 && c.Text[c.At]|0x20 <= 'z') {
				c.At++
			}
			continue
		}
		c.escaped = c.escaped || c.Text[c.At] == '\\'
		c.At++
	}
	return 0, 0, false
}

// maxIdent bounds an identifier, in bytes.
const maxIdent = 4096

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// name reads the dotted name of a package or an import, up to the semicolon.
func (c *JavaCode) name() (name string, all, stat bool) {
	var b strings.Builder
	for c.skip() {
		switch ch := c.Text[c.At]; {
		case ch == ';':
			c.At++
			return strings.TrimSuffix(b.String(), "."), all, stat
		case ch == '.':
			b.WriteByte('.')
			c.At++
		case ch == '*':
			all = true
			c.At++
		default:
			start, end := source.NextIdent(c.Text[c.At:min(len(c.Text), c.At+maxIdent)], 0)
			if start != 0 {
				return "", false, false
			}
			w := string(c.Text[c.At : c.At+end])
			c.At += end
			if w == "static" && b.Len() == 0 {
				stat = true
				continue
			}
			b.WriteString(w)
		}
	}
	return "", false, false
}

// skip moves to the next byte of code that is no space. It reports false at the end.
func (c *JavaCode) skip() bool {
	t := c.Text
	for c.At < len(t) {
		switch rest := t[c.At:]; {
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\n' || rest[0] == '\r' || rest[0] == '\f':
			c.At++
		case bytes.HasPrefix(rest, []byte("//")):
			c.to(rest, 2, "\n")
		case bytes.HasPrefix(rest, []byte("/*")):
			c.to(rest, 2, "*/")
		case bytes.HasPrefix(rest, []byte(`"""`)):
			c.literal(3, `"""`)
		case rest[0] == '"' || rest[0] == '\'':
			c.literal(1, string(rest[:1]))
		default:
			return true
		}
	}
	return false
}

// to moves behind the next end of what begins here.
func (c *JavaCode) to(rest []byte, from int, end string) {
	i := bytes.Index(rest[from:], []byte(end))
	if i < 0 {
		c.At = len(c.Text)
		return
	}
	c.At += from + i + len(end)
}

// literal moves behind a literal. One that is not closed ends with its line, but for text blocks.
func (c *JavaCode) literal(open int, end string) {
	for c.At += open; c.At < len(c.Text); c.At++ {
		switch rest := c.Text[c.At:]; {
		case rest[0] == '\\':
			c.At++
		case bytes.HasPrefix(rest, []byte(end)):
			c.At += len(end)
			return
		case rest[0] == '\n' && open == 1:
			return
		}
	}
	c.At = min(c.At, len(c.Text))
}

// platform matches the packages that come with every Java: an import of another one is of a dependency unless the sources
// have it.
var platform = lazyregexp.New(`^(java|jdk|sun|netscape)\.|^javax\.(accessibility|annotation\.processing|crypto|imageio|lang|management|naming|net|print|rmi|script|security|smartcardio|sound|sql|swing|tools|transaction\.xa|xml\.(catalog|crypto|datatype|namespace|parsers|stream|transform|validation|xpath)|xml\.XMLConstants)\b|^com\.sun\.(jdi|java|management|net\.httpserver|nio|security|source|tools)\b|^org\.(w3c\.dom|xml\.sax|ietf\.jgss)\b`)

// Word is a place of a word in a file, outside of comments and literals.
type Word struct {
	Path       string
	Start, End int // byte offsets
}

// JavaWords returns the places of a word in the code of a text, and whether the code spells identifiers with escapes.
func JavaWords(abs string, text []byte, word string) (list []Word, escaped bool) {
	code := JavaCode{Text: text}
	if !slices.Contains(text, '\\') && !source.HoldsWord(text, word) {
		return nil, false
	}
	for {
		from, to, ok := code.Word()
		if !ok {
			return list, code.escaped
		}
		if string(text[from:to]) == word {
			list = append(list, Word{abs, from, to})
		}
	}
}

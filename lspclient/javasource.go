package lspclient

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/findspot/findspot/lspclient/internal/source"
)

// javaSource is what the head of a Java file says.
type javaSource struct {
	pkg     string // "" for the default package
	imports []javaImport
}

// javaImport is one import. Of a static one the name is that of the type.
type javaImport struct {
	name string // "a.b.C"; with all set, of the package or type
	all  bool   // the import ends in ".*"
	stat bool
}

// simple returns the name by which the file uses what it imports, "" when there are many.
func (i javaImport) simple() string {
	if i.all {
		return ""
	}
	return i.name[strings.LastIndexByte(i.name, '.')+1:]
}

// parseJava reads the head of a Java file: up to the first thing that is neither package nor import. Whatever the file
// holds it returns something.
func parseJava(text []byte) javaSource {
	var src javaSource
	code := javaCode{text: text}
	next := func() string {
		from, to, ok := code.word()
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
				src.pkg = name
			default:
				src.imports = append(src.imports, javaImport{name: name, all: all || stat, stat: stat})
			}
		case "class", "interface", "enum", "record", "module", "public", "abstract", "final", "sealed", "open":
			return src
		}
	}
	return src
}

// javaCode walks over a Java text without what stands in comments and literals.
type javaCode struct {
	text []byte
	at   int
	// escaped: the code holds a backslash, with which identifiers can be written in another way.
	escaped bool
}

// word returns the next identifier or keyword.
func (c *javaCode) word() (from, to int, ok bool) {
	for c.skip() {
		start, end := source.NextIdent(c.text[c.at:min(len(c.text), c.at+maxIdent)], 0)
		if start == 0 {
			from, to = c.at, c.at+end
			c.at = to
			return from, to, true
		}
		if isDigit(c.text[c.at]) { // with its letters, as in 0xCAFE and 10L
			for c.at < len(c.text) && (isDigit(c.text[c.at]) || c.text[c.at] == '_' || 'a' <= c.text[c.at]|0x20 && c.text[c.at]|0x20 <= 'z') {
				c.at++
			}
			continue
		}
		c.escaped = c.escaped || c.text[c.at] == '\\'
		c.at++
	}
	return 0, 0, false
}

// maxIdent bounds an identifier, in bytes.
const maxIdent = 4096

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

// name reads the dotted name of a package or an import, up to the semicolon.
func (c *javaCode) name() (name string, all, stat bool) {
	var b strings.Builder
	for c.skip() {
		switch ch := c.text[c.at]; {
		case ch == ';':
			c.at++
			return strings.TrimSuffix(b.String(), "."), all, stat
		case ch == '.':
			b.WriteByte('.')
			c.at++
		case ch == '*':
			all = true
			c.at++
		default:
			start, end := source.NextIdent(c.text[c.at:min(len(c.text), c.at+maxIdent)], 0)
			if start != 0 {
				return "", false, false
			}
			w := string(c.text[c.at : c.at+end])
			c.at += end
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
func (c *javaCode) skip() bool {
	t := c.text
	for c.at < len(t) {
		switch rest := t[c.at:]; {
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\n' || rest[0] == '\r' || rest[0] == '\f':
			c.at++
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
func (c *javaCode) to(rest []byte, from int, end string) {
	i := bytes.Index(rest[from:], []byte(end))
	if i < 0 {
		c.at = len(c.text)
		return
	}
	c.at += from + i + len(end)
}

// literal moves behind a literal. One that is not closed ends with its line, but for text blocks.
func (c *javaCode) literal(open int, end string) {
	for c.at += open; c.at < len(c.text); c.at++ {
		switch rest := c.text[c.at:]; {
		case rest[0] == '\\':
			c.at++
		case bytes.HasPrefix(rest, []byte(end)):
			c.at += len(end)
			return
		case rest[0] == '\n' && open == 1:
			return
		}
	}
	c.at = min(c.at, len(c.text))
}

// platform matches the packages that come with every Java: an import of another one is of a dependency unless the sources
// have it.
var platform = regexp.MustCompile(`^(java|jdk|sun|netscape)\.|^javax\.(accessibility|annotation\.processing|crypto|imageio|lang|management|naming|net|print|rmi|script|security|smartcardio|sound|sql|swing|tools|transaction\.xa|xml\.(catalog|crypto|datatype|namespace|parsers|stream|transform|validation|xpath)|xml\.XMLConstants)\b|^com\.sun\.(jdi|java|management|net\.httpserver|nio|security|source|tools)\b|^org\.(w3c\.dom|xml\.sax|ietf\.jgss)\b`)

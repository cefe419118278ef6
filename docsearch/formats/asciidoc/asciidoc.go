package asciidoc

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/internal/compose"
	"github.com/findspot/findspot/docsearch/internal/format"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// Bounds of what is read.
const (
	maxFile       = 32 << 20 // bytes
	maxDepth      = 40       // of blocks in blocks
	maxAttributes = 10_000
	maxValue      = 10_000 // bytes of an attribute
)

// New returns an extractor of AsciiDoc. It is safe for concurrent use.
func New() extract.Extractor { return extractor{} }

type extractor struct{}

func (extractor) Version() string { return "asciidoc/1" }

func (extractor) Open(ctx context.Context, r io.ReaderAt, size int64) (extract.Doc, error) {
	s, err := format.ReadSource(ctx, r, size, maxFile)
	if err != nil {
		return nil, err
	}
	d := &document{attributes: map[string]string{}, titles: map[string]string{}, counts: map[string]int{}}
	for k, v := range builtin {
		d.attributes[k] = v
	}
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t\r")
	}
	lines = d.header(lines)
	var nodes []*node
	for len(lines) > 0 { // block by block, so that the context is looked at
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n, next := d.block(lines, 0, 0, nil, true)
		nodes = append(nodes, n...)
		lines = lines[next:]
	}
	w := &writer{Page: compose.New(1), doc: d, notes: map[string]int{}}
	if d.meta.Title != "" {
		d.meta.Title = w.inline(d.meta.Title)
		w.Heading(d.meta.Title, 1)
	}
	for _, l := range d.byline {
		w.Words(w.inline(l))
		w.Paragraph(false)
	}
	w.Paragraph(true)
	w.blocks(nodes, false)
	w.flush()
	return compose.Document(d.meta, w.End()), nil
}

// A document is what is known of the whole file.
type document struct {
	meta       extract.Meta
	byline     []string
	attributes map[string]string
	titles     map[string]string // what a reference to an id shows
	counts     map[string]int    // figures, tables and examples so far
	sections   []int             // numbers of the sections under way
}

type kind int

const (
	paragraph kind = iota
	heading        // text, level
	literal        // text, mark: language
	quote          // kids
	list           // kids: items
	item           // mark, kids
	term           // text, kids
	table          // text: caption, rows
	labelled       // text: the label, kids
	formula        // text
	figure         // text: caption
	container      // text: title, kids
	verse          // text
	raw            // text of HTML
)

// A node is a block. Its text holds inline markup until it is written.
type node struct {
	kind  kind
	text  string
	mark  string
	level int
	kids  []*node
	rows  [][]cell
}

type cell struct {
	rowSpan, colSpan int
	kids             []*node
}

// builtin are attributes that every document has.
var builtin = map[string]string{
	"nbsp": "\u00a0", "sp": " ", "empty": "", "blank": "", "zwsp": "\u200b", "wj": "\u2060", "apos": "'", "quot": `"`, "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "deg": "°", "plus": "\\+",
	"brvbar": "¦", "vbar": "|", "amp": "&", "lt": "<", "gt": ">", "asterisk": "\\*", "tilde": "\\~", "caret": "\\^", "startsb": "[", "endsb": "]", "backslash": "\\\\", "backtick": "\\`",
	"two-colons": "::", "two-semicolons": ";;", "cpp": "C\\+\\+", "cxx": "C\\+\\+", "pp": "\\+\\+", "asciidoctor": "", "asciidoctor-version": "2.0.0", "backend": "html5", "backend-html5": "", "basebackend": "html", "basebackend-html": "", "doctype": "article", "doctype-article": "",
	"figure-caption": "Figure", "table-caption": "Table", "example-caption": "Example", "appendix-caption": "Appendix", "note-caption": "Note", "tip-caption": "Tip", "important-caption": "Important",
	"warning-caption": "Warning", "caution-caption": "Caution",
}

var (
	attributeLine = lazyregexp.New(`^:(!?[\p{L}\p{N}_][\p{L}\p{N}_ -]*!?):(?:[ \t]+(.*))?$`)
	attributeRef  = lazyregexp.New(`\\?\{(counter2?:)?([\p{L}\p{N}_][\p{L}\p{N}_-]*)(?::[^{}]*)?\}`)
	conditional   = lazyregexp.New(`^(ifdef|ifndef|ifeval|endif)::([^\[]*)\[(.*)\]$`)
	includeLine   = lazyregexp.New(`^include::([^\[]+)\[(.*)\]$`)
	authorLine    = lazyregexp.New(`^[\p{L}\p{N}_][^<>:;=]*(?:<[^<>]+>)?(?:; *[\p{L}\p{N}_][^<>:;]*(?:<[^<>]+>)?)*$`)
	revisionLine  = lazyregexp.New(`^(?:v?([0-9][^,:]*)(?:,[ \t]*|$))?([^:]*?)(?::[ \t]*(.*))?$`)
)

// header reads the title of the document, its authors, its revision and its attributes, and returns the lines after them.
func (d *document) header(lines []string) []string {
	i := 0
	line := func(k int) string {
		if k < len(lines) {
			return lines[k]
		}
		return ""
	}
	skip := func() {
		for i < len(lines) && (lines[i] == "" || strings.HasPrefix(lines[i], "//") && !strings.HasPrefix(lines[i], "///") || attributeLine.MatchString(lines[i])) {
			if k := d.attribute(lines, i); k > i {
				i = k
			} else {
				i++
			}
		}
	}
	skip()
	switch {
	case strings.HasPrefix(line(i), "= ") || strings.HasPrefix(line(i), "# "):
		d.meta.Title = d.substitute(strings.TrimSpace(line(i)[2:]))
		i++
	case underline(line(i), line(i+1)) == 1:
		d.meta.Title = d.substitute(line(i))
		i += 2
	default:
		return lines[i:]
	}
	d.attributes["doctitle"] = d.meta.Title
	if s := line(i); s != "" && authorLine.MatchString(s) && !attributeLine.MatchString(s) && !strings.HasPrefix(s, "[") {
		for a := range strings.SplitSeq(s, ";") {
			name, _, _ := strings.Cut(a, "<")
			if name = strings.ReplaceAll(strings.TrimSpace(name), "_", " "); name != "" && len(d.meta.Authors) < 1000 {
				d.meta.Authors = append(d.meta.Authors, name)
			}
		}
		d.byline = append(d.byline, d.substitute(s))
		d.attributes["author"] = strings.Join(d.meta.Authors, ", ")
		i++
		if m := revisionLine.FindStringSubmatch(line(i)); m != nil && line(i) != "" && !attributeLine.MatchString(line(i)) && !strings.HasPrefix(line(i), "//") {
			d.attributes["revnumber"], d.attributes["revdate"], d.attributes["revremark"] = m[1], m[2], m[3]
			d.meta.Date = strings.TrimSpace(m[2])
			d.byline = append(d.byline, line(i))
			i++
		}
	}
	for i < len(lines) && lines[i] != "" { // attributes and comments, up to an empty line
		if k := d.attribute(lines, i); k > i {
			i = k
		} else if strings.HasPrefix(lines[i], "//") || conditional.MatchString(lines[i]) {
			if conditional.MatchString(lines[i]) {
				i = d.condition(lines, i)
				continue
			}
			i++
		} else {
			break
		}
	}
	d.meta.Keywords = d.attributes["keywords"]
	d.meta.Subject = d.attributes["description"]
	if a := d.attributes["author"]; a != "" && d.meta.Authors == nil {
		d.meta.Authors = []string{a}
		d.byline = append(d.byline, a)
	}
	if d.meta.Date == "" {
		d.meta.Date = strings.Trim(d.attributes["revdate"], " ")
	}
	if _, ok := d.attributes["numbered"]; ok {
		d.attributes["sectnums"] = ""
	}
	return lines[i:]
}

// attribute reads an entry at line i, and returns the line after it; i where there is none.
func (d *document) attribute(lines []string, i int) int {
	m := attributeLine.FindStringSubmatch(lines[i])
	if m == nil {
		return i
	}
	value := m[2]
	for i++; i < len(lines) && (strings.HasSuffix(value, " \\") || strings.HasSuffix(value, " +")) && len(value) < maxValue; i++ {
		value = value[:len(value)-1] + strings.TrimSpace(lines[i])
	}
	name := strings.ToLower(m[1])
	if strings.ContainsRune(name, '!') {
		delete(d.attributes, strings.Trim(name, "!"))
		return i
	}
	if strings.HasPrefix(value, "pass:") {
		if k := strings.IndexByte(value, '['); k >= 0 {
			value = strings.TrimSuffix(value[k+1:], "]")
		}
	}
	if value = d.substitute(value); len(d.attributes) < maxAttributes && len(value) <= maxValue {
		d.attributes[name] = value
	}
	return i
}

// substitute puts the values of attributes in the place of their names.
func (d *document) substitute(s string) string {
	if !strings.Contains(s, "{") {
		return s
	}
	grown := 0
	return attributeRef.ReplaceAllStringFunc(s, func(ref string) string {
		if ref[0] == '\\' {
			return ref[1:]
		}
		m := attributeRef.FindStringSubmatch(ref)
		if m[1] != "" {
			d.counts["counter "+m[2]]++
			if m[1] == "counter2:" {
				return ""
			}
			return fmt.Sprint(d.counts["counter "+m[2]])
		}
		v, ok := d.attributes[strings.ToLower(m[2])]
		if grown += len(v); !ok || grown > 10*len(s)+1_000_000 {
			return ref
		}
		return v
	})
}

// condition reads a conditional at line i, and returns the line from which to go on.
func (d *document) condition(lines []string, i int) int {
	m := conditional.FindStringSubmatch(lines[i])
	if m[1] == "endif" {
		return i + 1
	}
	holds := d.holds(m[1], m[2], m[3])
	if m[1] != "ifeval" && m[3] != "" { // with its text in brackets
		if holds {
			lines[i] = m[3]
			return i
		}
		return i + 1
	}
	if holds {
		return i + 1
	}
	depth := 0
	for k := i + 1; k < len(lines); k++ {
		c := conditional.FindStringSubmatch(lines[k])
		switch {
		case c == nil:
		case c[1] == "endif":
			if depth == 0 {
				return k + 1
			}
			depth--
		case c[3] == "" || c[1] == "ifeval":
			depth++
		}
	}
	return len(lines)
}

func (d *document) holds(name, names, expression string) bool {
	if name == "ifeval" {
		f := strings.Fields(d.substitute(expression))
		if len(f) != 3 {
			return false
		}
		a, b := strings.Trim(f[0], `"'`), strings.Trim(f[2], `"'`)
		switch f[1] {
		case "==":
			return a == b
		case "!=":
			return a != b
		case "<", "<=", ">", ">=":
			return strings.Contains(f[1], "<") == (len(a) < len(b) || len(a) == len(b) && a < b) || a == b && strings.HasSuffix(f[1], "=")
		}
		return false
	}
	sep, all := ",", false
	if strings.Contains(names, "+") {
		sep, all = "+", true
	}
	any, every := false, true
	for n := range strings.SplitSeq(names, sep) {
		_, ok := d.attributes[strings.ToLower(strings.TrimSpace(n))]
		any, every = any || ok, every && ok
	}
	set := any
	if all {
		set = every
	}
	return set == (name == "ifdef")
}

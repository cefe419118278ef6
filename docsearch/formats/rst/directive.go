package rst

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
)

// admonitions are the labels of the directives that note something.
var admonitions = map[string]string{
	"note": "Note", "warning": "Warning", "attention": "Attention", "caution": "Caution", "danger": "Danger", "error": "Error", "hint": "Hint",
	"important": "Important", "tip": "Tip", "seealso": "See also", "todo": "Todo", "impl-detail": "Implementation detail", "availability": "Availability",
	"versionadded": "New in version", "versionchanged": "Changed in version", "deprecated": "Deprecated since version", "deprecated-removed": "Deprecated since version",
	"versionremoved": "Removed in version",
}

// silent are directives that are for the tools.
var silent = map[string]bool{
	"toctree": true, "contents": true, "index": true, "highlight": true, "tabularcolumns": true, "sectionauthor": true, "codeauthor": true, "moduleauthor": true,
	"default-domain": true, "raw": true, "title": true, "header": true,
	"footer": true, "target-notes": true, "restructuredtext-test-directive": true, "testsetup": true, "testcleanup": true, "bibliography": true,
	"section-numbering": true, "js:module": true, "cpp:namespace": true, "c:namespace": true, "program": true, "highlightlang": true, "acks": false,
	"autosummary": true, "inheritance-diagram": true, "graphviz": true, "digraph": true, "graph": true, "mermaid": true, "uml": true, "kernel-doc": true,
	"kernel-abi": true, "kernel-feat": true, "plot": true, "tags": true, "cssclass": true, "audit-event-table": true, "sphinx-version": true,
}

// objects are directives that describe an object by its signature, with what stands before it.
var objects = map[string]string{
	"function": "", "class": "class ", "exception": "exception ", "method": "", "classmethod": "classmethod ", "staticmethod": "static ", "attribute": "",
	"data": "", "property": "property ", "decorator": "@", "decoratormethod": "@", "type": "type ", "struct": "struct ", "union": "union ", "enum": "enum ",
	"enumerator": "enumerator ", "macro": "", "member": "", "var": "", "concept": "concept ", "enum-class": "enum class ", "enum-struct": "enum struct ", "alias": "",
	"confval": "", "setting": "", "describe": "", "object": "", "opcode": "", "pdbcommand": "", "coroutinefunction": "coroutine ", "coroutinemethod": "coroutine ",
	"awaitablefunction": "awaitable ", "awaitablemethod": "awaitable ", "abstractmethod": "abstractmethod ", "templatetag": "", "templatefilter": "",
	"directive": ".. ", "role": "", "event": "", "django-admin": "django-admin ", "http:get": "GET ", "http:post": "POST ", "http:put": "PUT ",
	"http:delete": "DELETE ", "http:patch": "PATCH ", "fieldlookup": "", "object-type": "", "ufunc": "",
}

// inModule are objects whose name Sphinx shows with that of the module.
var inModule = map[string]bool{"function": true, "class": true, "exception": true, "data": true, "decorator": true, "coroutinefunction": true, "awaitablefunction": true}

// splitOptions returns the options that a block begins with, and the rest.
func splitOptions(lines []string) (map[string]string, []string) {
	options := map[string]string{}
	i, last := 0, ""
	for ; i < len(lines) && lines[i] != ""; i++ {
		if end := fieldEnd(lines[i]); end > 0 {
			last = strings.ToLower(lines[i][1 : end-1])
			options[last] = strings.TrimSpace(lines[i][end:])
		} else if lines[i][0] == ' ' && last != "" {
			options[last] = strings.TrimSpace(options[last] + " " + strings.TrimSpace(lines[i]))
		} else {
			break
		}
	}
	if len(options) == 0 {
		return options, lines
	}
	return options, trimEmpty(lines[i:])
}

// splitArgument returns the argument of a directive, which may go on in the next lines, its options and its content.
func splitArgument(arg string, body []string) (string, map[string]string, []string) {
	i := 0
	for ; i < len(body) && body[i] != "" && fieldEnd(body[i]) == 0; i++ {
		arg += " " + body[i]
	}
	options, content := splitOptions(body[i:])
	return strings.TrimSpace(arg), options, trimEmpty(content)
}

func (d *document) directive(name, arg string, body []string, depth int, sections bool) []*node {
	arg = strings.TrimSpace(arg)
	short := name[strings.LastIndexByte(name, ':')+1:]
	all := body
	if arg != "" {
		all = append([]string{arg}, body...)
	}
	nested := func(lines []string) []*node { return d.parse(lines, depth+1, false) }
	one := func(n *node) []*node { return []*node{n} }
	if label, ok := admonitions[name]; ok {
		if strings.HasSuffix(label, "version") {
			version, rest, _ := strings.Cut(arg, " ")
			if name == "deprecated-removed" {
				until, more, _ := strings.Cut(rest, " ")
				version, rest = version+", will be removed in version "+until, more
			}
			all = body
			if rest != "" {
				all = append([]string{rest}, body...)
			}
			return one(&node{kind: labelled, text: label + " " + version, kids: nested(all)})
		}
		_, all = splitOptions(all)
		return one(&node{kind: labelled, text: label, kids: nested(all)})
	}
	if prefix, ok := objects[name]; ok || name != short && objects[short] != "" || strings.Count(name, ":") == 1 && hasObject(short) {
		if !ok {
			prefix = objects[short]
		}
		if d.module != "" && d.describing == 0 && (name == short || strings.HasPrefix(name, "py:")) && inModule[short] {
			prefix += d.module + "."
		}
		d.describing++
		defer func() { d.describing-- }()
		return one(d.object(prefix, arg, body, depth))
	}
	if strings.TrimPrefix(name, "py:") == "module" || strings.TrimPrefix(name, "py:") == "currentmodule" {
		d.module = strings.TrimSpace(arg)
		if d.module == "None" {
			d.module = ""
		}
		return nil
	}
	if silent[name] || strings.HasPrefix(name, "auto") || strings.HasPrefix(name, "doxygen") {
		return nil
	}
	switch name {
	case "code-block", "code", "sourcecode", "parsed-literal", "testcode", "doctest", "testoutput", "productionlist", "ipython", "prompt", "console", "code-block-console":
		return d.code(name, arg, body)
	case "math", "math:eq":
		options, content := splitOptions(body)
		if arg != "" {
			content = append([]string{arg, ""}, content...)
		}
		if l := options["label"]; l != "" {
			d.labels[labelKey(l)] = "(" + l + ")"
		}
		return one(&node{kind: formula, text: strings.Join(content, "\n")})
	case "figure", "image", "video", "youtube":
		_, options, content := splitArgument("", body)
		kids := nested(content)
		if name == "figure" && len(kids) > 0 && kids[0].kind == paragraph {
			d.name(kids[0].text)
		}
		return one(&node{kind: figure, text: options["alt"], kids: kids})
	case "table", "csv-table", "list-table", "flat-table":
		return d.table(name, arg, body, depth)
	case "include", "literalinclude", "snippet", "mdinclude":
		if arg == "" {
			return nil
		}
		return one(&node{text: literalText("(includes " + arg + ")")})
	case "only":
		if e := strings.TrimSpace(arg); e == "latex" || e == "man" || e == "texinfo" || strings.HasPrefix(e, "builder_latex") {
			return nil
		}
		return one(&node{kind: container, kids: d.parse(body, depth+1, sections)})
	case "ifconfig", "compound", "container", "hlist", "centered", "rst-class", "class", "tab-set", "tabs", "grid", "grid-item", "card-carousel", "acks",
		"epigraph", "highlights", "pull-quote", "tabularx", "role-list":
		_, content := splitOptions(body)
		if name == "centered" || name == "epigraph" || name == "highlights" || name == "pull-quote" || name == "compound" {
			_, content = splitOptions(all)
		}
		return one(&node{kind: container, kids: nested(content)})
	case "glossary":
		_, content := splitOptions(body)
		return d.glossary(content, depth)
	case "replace":
		return one(&node{text: strings.Join(all, " ")})
	case "unicode":
		return one(&node{text: literalText(unicodeText(arg))})
	case "date":
		return nil
	case "role":
		d.role(arg)
		return nil
	case "default-role":
		d.defaultRole = arg
		return nil
	case "sectnum":
		d.numbered = true
		return nil
	case "meta":
		options, _ := splitOptions(body)
		d.meta.Keywords = firstOf(d.meta.Keywords, options["keywords"])
		d.meta.Subject = firstOf(d.meta.Subject, options["description"])
		return nil
	case "admonition", "topic", "sidebar", "dropdown", "details", "tab", "tab-item", "card", "grid-item-card", "collapse", "group-tab", "code-tab", "exercise", "solution":
		title, options, content := splitArgument(arg, body)
		if s := options["subtitle"]; s != "" {
			title += ": " + s
		}
		if name == "code-tab" {
			return one(&node{kind: literal, text: strings.Join(content, "\n")})
		}
		n := &node{kind: labelled, text: title, kids: nested(content)}
		d.name(title)
		return one(n)
	case "rubric":
		title, _, _ := splitArgument(arg, body)
		return one(&node{text: title})
	case "option", "cmdoption", "envvar", "std:option", "std:envvar", "confdir", "cmd":
		return one(d.term(arg, body, depth))
	case "audit-event":
		event, args, _ := strings.Cut(arg, " ")
		s := "Raises an auditing event " + literalText(event)
		if args = strings.Trim(args, `"`); args != "" {
			s += " with arguments " + literalText(strings.ReplaceAll(args, ",", ", "))
		}
		return one(&node{text: s + "."})
	case "gettext", "versions":
		return nil
	}
	// An unknown directive: what it holds is most often reStructuredText.
	title, _, content := splitArgument(arg, body)
	var nodes []*node
	if title != "" {
		nodes = append(nodes, &node{text: title})
	}
	return append(nodes, nested(content)...)
}

func hasObject(name string) bool { _, ok := objects[name]; return ok }

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// object reads what describes an object: lines of signatures, options and a body.
func (d *document) object(prefix, arg string, body []string, depth int) *node {
	n := &node{kind: object}
	sig := ""
	add := func(s string) {
		sig += s
		if strings.HasSuffix(sig, `\`) { // goes on in the next line
			sig = sig[:len(sig)-1] + " "
			return
		}
		if s := strings.Join(strings.Fields(sig), " "); s != "" {
			n.lines = append(n.lines, s)
		}
		sig = ""
	}
	add(arg)
	i := 0
	for ; i < len(body) && body[i] != "" && fieldEnd(body[i]) == 0; i++ {
		add(strings.TrimSpace(body[i]))
	}
	options, content := map[string]string{}, trimEmpty(body[i:])
	if i < len(body) && body[i] != "" {
		options, content = splitOptions(body[i:])
	}
	for _, o := range []string{"async", "classmethod", "staticmethod", "abstractmethod", "final"} {
		if _, ok := options[o]; ok {
			prefix += strings.TrimSuffix(o, "method") + " "
		}
	}
	for i, s := range n.lines {
		if t := options["type"]; t != "" {
			s += ": " + t
		}
		if v := options["value"]; v != "" {
			s += " = " + v
		}
		n.lines[i] = strings.ReplaceAll(prefix+s, `\`, "")
	}
	n.kids = d.parse(content, depth+1, false)
	return n
}

// term reads what describes an option: a term with its definition.
func (d *document) term(arg string, body []string, depth int) *node {
	o := d.object("", arg, body, depth)
	for i, s := range o.lines {
		o.lines[i] = literalText(s)
	}
	return &node{kind: term, text: strings.Join(o.lines, "\n"), kids: o.kids}
}

// glossary reads terms, several of which may share a definition.
func (d *document) glossary(lines []string, depth int) (nodes []*node) {
	var terms []string
	for i := 0; i < len(lines); {
		switch {
		case lines[i] == "":
			i++
		case lines[i][0] == ' ':
			var b []string
			b, i = block(lines, i)
			nodes = append(nodes, &node{kind: term, text: strings.Join(terms, "\n"), kids: d.parse(b, depth+1, false)})
			terms = nil
		default:
			if !strings.HasPrefix(lines[i], "..") {
				s, _, _ := strings.Cut(lines[i], " : ")
				terms = append(terms, s)
			}
			i++
		}
	}
	return nodes
}

// code reads code, which stands as it is.
func (d *document) code(name, arg string, body []string) (nodes []*node) {
	options, content := splitOptions(body)
	switch name {
	case "productionlist":
		if len(content) == len(body) { // its grammar is given line by line
			for i := range content {
				content[i] = strings.ReplaceAll(strings.TrimSpace(content[i]), "`", "")
			}
		}
	case "parsed-literal":
		if arg != "" {
			content = append([]string{arg}, content...)
		}
		return []*node{{kind: lineBlock, mark: "literal", lines: content}}
	}
	if c := options["caption"]; c != "" {
		nodes = append(nodes, &node{text: c})
		d.name(c)
	}
	return append(nodes, &node{kind: literal, text: strings.Join(trimEmpty(content), "\n")})
}

// role reads the definition of a role.
func (d *document) role(arg string) {
	name, base, _ := strings.Cut(arg, "(")
	if base = strings.TrimSuffix(strings.TrimSpace(base), ")"); base == "raw" || d.raw[base] {
		d.raw[strings.TrimSpace(name)] = true
	}
}

// unicodeText returns the characters that the codes of the directive unicode mean.
func unicodeText(arg string) string {
	arg, _, _ = strings.Cut(arg, "..")
	var b strings.Builder
	for f := range strings.FieldsSeq(arg) {
		hex := ""
		for _, p := range []string{"0x", "x", `\x`, "U+", "u", `\u`} {
			if s, ok := strings.CutPrefix(f, p); ok {
				hex = s
			}
		}
		if s, ok := strings.CutPrefix(f, "&#x"); ok {
			hex = strings.TrimSuffix(s, ";")
		}
		if n, err := strconv.ParseInt(hex, 16, 32); err == nil && n <= unicode.MaxRune && n > 31 {
			b.WriteRune(rune(n))
		} else if n, err := strconv.Atoi(f); err == nil && n <= unicode.MaxRune && n > 31 {
			b.WriteRune(rune(n))
		} else {
			b.WriteString(f)
		}
	}
	return b.String()
}

// table reads the directives that hold a table.
func (d *document) table(name, arg string, body []string, depth int) []*node {
	caption, options, content := splitArgument(arg, body)
	if caption != "" {
		d.name(caption)
	}
	n := &node{kind: grid, text: caption}
	switch name {
	case "csv-table":
		if f := firstOf(options["file"], options["url"]); f != "" {
			return []*node{{text: caption}, {text: literalText("(includes " + f + ")")}}
		}
		rows, err := readCSV(options, content)
		if err != nil { // the lines are text all the same
			return []*node{{text: caption}, {kind: literal, text: strings.Join(content, "\n")}}
		}
		for _, row := range rows {
			var cells []cell
			for _, s := range row {
				cells = append(cells, cell{1, 1, d.parse(strings.Split(s, "\n"), depth+1, false)})
			}
			n.rows = append(n.rows, cells)
		}
	case "list-table", "flat-table":
		for _, l := range d.parse(content, depth+1, false) {
			if l.kind != list {
				continue
			}
			for _, row := range l.kids {
				var cells []cell
				for _, inner := range row.kids {
					for _, it := range inner.kids {
						if inner.kind == list {
							cells = append(cells, spannedCell(it))
						}
					}
				}
				n.rows = append(n.rows, cells)
			}
		}
	default:
		nodes := d.parse(content, depth+1, false)
		if len(nodes) > 0 && nodes[0].kind == grid {
			nodes[0].text = caption
		}
		return nodes
	}
	return []*node{n}
}

// spannedCell makes a cell of an item, which may begin with ":cspan:`1`" as the Linux kernel writes spans.
func spannedCell(it *node) cell {
	c := cell{1, 1, it.kids}
	if len(it.kids) > 0 && it.kids[0].kind == paragraph {
		for _, span := range []struct {
			mark string
			to   *int
		}{{":cspan:`", &c.colSpan}, {":rspan:`", &c.rowSpan}} {
			s := it.kids[0].text
			at := strings.Index(s, span.mark)
			if at < 0 {
				continue
			}
			num, rest, _ := strings.Cut(s[at+len(span.mark):], "`")
			if k, err := strconv.Atoi(num); err == nil && k > 0 && k < 1000 {
				*span.to = k + 1
			}
			it.kids[0].text = strings.TrimSpace(s[:at] + rest)
		}
	}
	return c
}

// readCSV reads the rows of a csv-table; the header comes first.
func readCSV(options map[string]string, content []string) ([][]string, error) {
	comma := ','
	if s, ok := options["delim"]; ok && s != "" {
		switch s {
		case "tab":
			comma = '\t'
		case "space":
			comma = ' '
		default:
			for _, r := range unicodeText(s) {
				comma = r
				break
			}
		}
	}
	var out [][]string
	for _, s := range []string{options["header"], strings.Join(content, "\n")} {
		r := csv.NewReader(bytes.NewReader([]byte(s)))
		if comma == '"' || comma == '\r' || comma == '\n' || comma == unicode.ReplacementChar {
			return nil, fmt.Errorf("no delimiter: %q", comma)
		}
		r.Comma, r.FieldsPerRecord, r.LazyQuotes, r.TrimLeadingSpace = comma, -1, true, comma != '\t'
		for {
			row, err := r.Read()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return nil, err
			}
			out = append(out, row)
		}
	}
	return out, nil
}

package form

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// Markdown gives a result as Markdown: what it found as a table, or under a heading each with its text as a quotation or a block of code, and then what it says besides as
// lists and tables. Offsets, hashes and boxes, which only programs read, are left out. Nothing that a text holds is taken for Markdown.
func Markdown(v any) (string, error) {
	n, err := parse(v)
	if err != nil {
		return "", err
	}
	p := &printer{}
	switch n.kind {
	case list:
		p.rows(n.list, 2)
	case object:
		p.answer(&n)
	default:
		p.item(n, "")
	}
	if p.b.Len() == 0 {
		return "Nothing.\n", nil
	}
	return strings.TrimRight(p.b.String(), "\n") + "\n", nil
}

// Row gives a row of a table, for what is printed as it comes. A head has a rule behind it.
func Row(head bool, cells ...string) string {
	for i, c := range cells {
		cells[i] = escape(c)
	}
	return row(head, cells)
}

func row(head bool, cells []string) string {
	s := "| " + strings.Join(cells, " | ") + " |\n"
	if head {
		s += "|" + strings.Repeat("---|", len(cells)) + "\n"
	}
	return s
}

type printer struct{ b strings.Builder }

func (p *printer) printf(format string, args ...any) { fmt.Fprintf(&p.b, format, args...) }

// gap begins a new block.
func (p *printer) gap() {
	if s := p.b.String(); s != "" && !strings.HasSuffix(s, "\n\n") {
		p.printf("\n")
	}
}

func (p *printer) paragraph(s string) {
	p.gap()
	p.printf("%s\n", s)
}

func (p *printer) heading(level int, s string) {
	p.paragraph(strings.Repeat("#", min(level, 6)) + " " + s)
}

// hidden are fields that only programs read.
var hidden = []string{"hash", "matches", "signals", "start", "end", "bbox", "boxes", "cells", "width", "height", "keys", "ids", "truncated", "extractor"}

// what asks or names what an answer is about, best first.
var about = []string{"question", "query", "pattern", "asked", "phrase", "name", "file", "skill", "collection"}

// answer prints an object that is the whole of a result.
func (p *printer) answer(n *node) {
	rows, rest := n.rows()
	title := ""
	for _, name := range about {
		if v, ok := n.get(name); ok && v.kind == quoted && v.text != "" {
			title = name
			p.heading(1, escape(v.text))
			break
		}
	}
	if rows == nil {
		p.fields(n, rest, 2, title)
		return
	}
	found := false
	for _, r := range rows {
		if len(r.value.list) > 0 && len(rows) > 1 {
			p.heading(2, escape(words(r.name)))
		}
		p.rows(r.value.list, 2+min(len(rows)-1, 1))
		found = found || len(r.value.list) > 0
	}
	if !found {
		p.paragraph("Nothing was found.")
	}
	if !empty(rest, title) {
		p.heading(2, "Summary")
		p.fields(n, rest, 3, title)
	}
}

func empty(fields []field, but string) bool {
	return !slices.ContainsFunc(fields, func(f field) bool { return f.name != but && !f.value.empty() && !slices.Contains(hidden, f.name) })
}

// rows prints the things of a list: in a table where that can be, else each under a heading.
func (p *printer) rows(list []node, level int) {
	if len(list) == 0 {
		return
	}
	if p.lines(list) || p.table(list) {
		return
	}
	for i := range list {
		n := &list[i]
		if n.kind != object {
			p.item(*n, "")
			continue
		}
		title, used := heading(n)
		if title == "" {
			title = fmt.Sprint(i + 1)
		}
		p.heading(level, title)
		p.fields(n, n.fields, level+1, used...)
	}
}

// lines prints lines of files, each with its place, as a list; false: the things are more than that.
func (p *printer) lines(list []node) bool {
	for i := range list {
		text, ok := list[i].get("text")
		if !ok || strings.Contains(strings.TrimRight(text.text, "\r\n"), "\n") || slices.ContainsFunc(list[i].fields, func(f field) bool {
			return f.name != "text" && !slices.Contains(hidden, f.name) && !slices.Contains(placeFields, f.name)
		}) {
			return false
		}
	}
	p.gap()
	for i := range list {
		n := &list[i]
		at := place(n)
		text := escape(n.str("text"))
		if n.str("path") != "" {
			text = code(n.str("text"))
		}
		p.printf("- %s: %s\n", at, text)
	}
	return true
}

// placeFields are those of a place in a file.
var placeFields = []string{"repo", "path", "page", "page_line", "line", "col", "end_line", "end_col", "line_end"}

// The largest table.
const (
	maxColumns = 8
	maxCell    = 120 // runes
)

// table prints things of a few short values as a table; false: they are no such.
func (p *printer) table(list []node) bool {
	var names []string
	for i := range list {
		if list[i].kind != object {
			return false
		}
		for _, f := range list[i].fields {
			if f.value.empty() || slices.Contains(hidden, f.name) {
				continue
			}
			if s, ok := short(f.name, f.value); !ok || f.value.kind == quoted && prose(f.name) || utf8.RuneCountInString(s) > maxCell {
				return false
			}
			if !slices.Contains(names, f.name) {
				names = append(names, f.name)
			}
		}
	}
	if len(names) == 0 || len(names) > maxColumns {
		return false
	}
	p.gap()
	head := make([]string, len(names))
	for i, name := range names {
		head[i] = escape(words(name))
	}
	p.printf("%s", row(true, head))
	for i := range list {
		cells := make([]string, len(names))
		for k, name := range names {
			if v, ok := list[i].get(name); ok {
				if !v.empty() {
					cells[k], _ = short(name, v)
				}
			}
		}
		p.printf("%s", row(false, cells))
	}
	return true
}

// heading names a thing, and the fields that the name is made of.
func heading(n *node) (title string, used []string) {
	add := func(s, name string) {
		if s != "" {
			title = strings.TrimSpace(title + " " + s)
			used = append(used, name)
		}
	}
	if key := n.str("key"); key != "" {
		add(`\[`+escape(key)+`\]`, "key")
	}
	for _, name := range []string{"at", "entity", "symbol"} {
		at, ok := n.get(name)
		if s := place(&at); ok && s != "" {
			add(s, name)
			return title, used
		}
	}
	if s := place(n); s != "" && (n.str("path") != "" || n.str("doc") == "") {
		add(s, "path")
		return title, append(used, "id", "name", "repo", "line", "col", "end_line", "end_col", "line_start", "line_end", "page")
	}
	if title == "" {
		for _, name := range []string{"id", "name", "entity", "title", "path", "file", "skill", "about", "tool", "root", "page", "number", "what"} {
			if v, ok := n.get(name); ok && v.kind <= quoted && !v.empty() {
				s, _ := short(name, v)
				if name == "page" || name == "number" {
					s = words(name) + " " + s
				}
				add(s, name)
				break
			}
		}
	}
	return title, used
}

// place says where a thing is; "" where the object is no place.
func place(n *node) string {
	if n.kind != object {
		return ""
	}
	if id := n.str("id"); id != "" && n.str("path") == "" {
		return "" // what has an id is more than a place
	}
	lines := func(sep string) string {
		first, last := n.str("line"), n.str("end_line")+n.str("line_end")
		if first == "" {
			first, last = n.str("line_start"), n.str("line_end")
		}
		if first == "" || first == "0" {
			return ""
		}
		if last != "" && last != first {
			first += "-" + last
		}
		return sep + first
	}
	if file := n.str("path"); file != "" {
		if repo := n.str("repo"); repo != "" {
			file = repo + "//" + file
		}
		s := file + lines(":")
		if col := n.str("col"); col != "" && n.str("line") != "" && n.str("end_line") == "" {
			s += ":" + col
		}
		if s = code(s); n.str("entity") != "" {
			s = code(n.str("entity")) + " " + s
		} else if id := n.str("id"); id != "" {
			s = code(id) + " " + s
		}
		return s
	}
	if n.str("doc") == "" && n.str("name") == "" && (n.str("page") == "" || n.str("line") == "" && n.str("line_start") == "") {
		if id := n.str("entity"); id != "" {
			return code(id)
		}
		return ""
	}
	var out []string
	if t := n.str("title"); t != "" {
		out = append(out, escape(t))
	}
	var in []string
	if page := n.str("page"); page != "" && page != "0" {
		in = append(in, "p. "+page)
	}
	if l := lines("l. "); l != "" {
		in = append(in, l)
	}
	if len(in) > 0 {
		out = append(out, strings.Join(in, ", "))
	}
	if name := n.str("name"); name != "" {
		out = append(out, "("+code(name)+")")
	}
	return strings.Join(out, " ")
}

// fields prints the fields of a thing but for some: short ones as a list, then texts, then what holds things itself.
func (p *printer) fields(n *node, fields []field, level int, but ...string) {
	skip := func(f field) bool {
		return f.value.empty() || slices.Contains(but, f.name) || slices.Contains(hidden, f.name)
	}
	begun := false
	for _, f := range fields {
		if skip(f) || f.value.kind == quoted && prose(f.name) {
			continue
		}
		if s, ok := short(f.name, f.value); ok {
			if !begun {
				p.gap()
				begun = true
			}
			p.printf("- %s: %s\n", escape(words(f.name)), s)
		}
	}
	for _, f := range fields {
		switch _, ok := short(f.name, f.value); {
		case skip(f):
		case f.value.kind == quoted && prose(f.name):
			p.text(n, f.name, f.value.text)
		case ok:
		case f.value.kind == object:
			p.heading(level, escape(words(f.name)))
			p.fields(&f.value, f.value.fields, level+1)
		case f.value.kind == list && f.value.list[0].kind <= quoted:
			p.paragraph(escape(words(f.name)) + ":")
			p.gap()
			for _, x := range f.value.list {
				p.item(x, f.name)
			}
		case f.value.kind == list:
			p.heading(level, escape(words(f.name)))
			p.rows(f.value.list, level+1)
		}
	}
}

func (p *printer) item(n node, name string) {
	s, _ := short(name, n)
	p.printf("- %s\n", s)
}

// prose reports the fields that hold text.
func prose(name string) bool {
	return slices.Contains([]string{"text", "snippet", "body", "markdown", "caption", "ocr", "abstract", "description", "message", "hover", "diff"}, name)
}

// text prints a text: code, and what has several lines, in a block of code, anything else as a quotation.
func (p *printer) text(n *node, name, s string) {
	s = strings.TrimRight(s, "\n")
	if strings.TrimSpace(s) == "" {
		return
	}
	file := n.str("path")
	if at, ok := n.get("at"); ok && file == "" {
		file = at.str("path")
	}
	p.gap()
	if file == "" && !strings.Contains(s, "\n") {
		p.printf("> %s\n", escape(s))
		return
	}
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	lang := strings.TrimPrefix(path.Ext(file), ".")
	if strings.Trim(lang, "abcdefghijklmnopqrstuvwxyz0123456789+") != "" {
		lang = ""
	}
	p.printf("%s%s\n%s\n%s\n", fence, lang, s, fence)
}

// short gives a value that stands on one line; false where it does not.
func short(name string, n node) (string, bool) {
	switch n.kind {
	case scalar:
		if whole, rest, ok := strings.Cut(n.text, "."); ok && len(rest) > 3 && !strings.ContainsAny(rest, "eE") { // a score
			return whole + "." + rest[:3], true
		}
		return n.text, true
	case quoted:
		if slices.Contains([]string{"id", "path", "entity", "doc", "origin", "file", "root", "src", "dst", "digest", "index", "signature"}, name) {
			return code(n.text), true
		}
		return escape(n.text), true
	case object:
		if first := n.str("first"); first != "" && len(n.fields) == 2 {
			return first + "-" + n.str("last"), true
		}
		s := place(&n)
		return s, s != "" && (name == "at" || name == "location" || name == "selection" || name == "entity")
	}
	var out []string
	size := 0
	for _, x := range n.list {
		s, ok := short(name, x)
		if x.kind == object && !slices.ContainsFunc(x.fields, func(f field) bool { return !slices.Contains(placeFields, f.name) }) {
			s = place(&x)
			ok = s != ""
		}
		if !ok || x.kind == list {
			return "", false
		}
		if size += len(s); size > 2*maxCell && len(n.list) > 3 {
			return "", false
		}
		out = append(out, s)
	}
	return strings.Join(out, ", "), true
}

func words(name string) string { return strings.ReplaceAll(name, "_", " ") }

// marks have a meaning in Markdown.
var marks = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "|", `\|`, "#", `\#`, "~", `\~`, "&", `\&`)

// escape gives a text on one line, in which nothing is Markdown.
func escape(s string) string {
	s = marks.Replace(strings.Join(strings.Fields(s), " "))
	if s != "" && strings.ContainsRune("-+=!", rune(s[0])) {
		s = `\` + s
	}
	digits := strings.TrimLeft(s, "0123456789")
	if len(digits) < len(s) && digits != "" && (digits[0] == '.' || digits[0] == ')') && (len(digits) == 1 || digits[1] == ' ') { // no list of numbers
		s = s[:len(s)-len(digits)] + `\` + digits
	}
	return s
}

// code gives a text as a span of code, which also stands in a table.
func code(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if strings.Contains(s, "|") {
		return escape(s)
	}
	ticks := "`"
	for strings.Contains(s, ticks) {
		ticks += "`"
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return ticks + s + ticks
}

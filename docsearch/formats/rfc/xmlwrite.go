package rfc

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/internal/compose"
)

// An xmlWriter writes the text of a tree.
type xmlWriter struct {
	*compose.Page
	root    *element
	meta    extract.Meta
	anchors map[string]string // what a reference to an anchor shows
	titles  map[string]string
	margin  int
	counts  map[string]int // of lists that go on
}

func newXMLWriter(root *element) *xmlWriter {
	w := &xmlWriter{Page: compose.New(1), root: root, anchors: map[string]string{}, titles: map[string]string{}, counts: map[string]int{}}
	w.number()
	return w
}

func (w *xmlWriter) document() {
	front := w.root.child("front")
	w.about(front)
	w.Heading(w.meta.Title, 1)
	for _, s := range []string{strings.Join(w.meta.Authors, ", "), w.meta.Date, w.meta.Subject} {
		w.Words(s)
		w.Paragraph(false)
	}
	w.Paragraph(true)
	for _, k := range front.kids {
		switch k.name {
		case "abstract":
			w.meta.Abstract = words(w.inline(k))
			w.Heading("Abstract", 2)
			w.children(k)
		case "note", "boilerplate":
			if k.name == "note" {
				w.Heading(k.title(), 2)
			}
			w.children(k)
		}
	}
	w.children(w.root.child("middle"))
	w.children(w.root.child("back"))
	w.addresses(front)
}

// about reads what the document says of itself.
func (w *xmlWriter) about(front *element) {
	w.meta.Title = words(w.inline(front.child("title")))
	for _, a := range front.all("author") {
		if name := author(a); name != "" && len(w.meta.Authors) < 1000 {
			w.meta.Authors = append(w.meta.Authors, name)
		}
		if o := words(a.child("organization").plain()); o != "" && len(w.meta.Institutions) < 1000 {
			w.meta.Institutions = append(w.meta.Institutions, o)
		}
	}
	if d := front.child("date"); d.attrs["year"] != "" {
		s := d.attrs["year"]
		if m := d.attrs["month"]; m != "" {
			if n, err := strconv.Atoi(m); err == nil {
				s += fmt.Sprintf("-%02d", n)
			} else {
				s = isoDate(m + " " + s)
			}
			if n, err := strconv.Atoi(d.attrs["day"]); err == nil {
				s += fmt.Sprintf("-%02d", n)
			}
		}
		w.meta.Date = s
	}
	var about, keywords []string
	if n := w.root.attrs["number"]; n != "" {
		about = append(about, "RFC "+n)
	} else if n := w.root.attrs["docName"]; n != "" {
		about = append(about, n)
	}
	for _, k := range []string{"obsoletes", "updates"} {
		if s := w.root.attrs[k]; s != "" {
			about = append(about, strings.ToUpper(k[:1])+k[1:]+": "+s)
		}
	}
	for _, k := range front.all("keyword") {
		keywords = append(keywords, words(k.plain()))
	}
	w.meta.Subject, w.meta.Keywords = strings.Join(about, "; "), strings.Join(keywords, ", ")
}

func author(a *element) string {
	if s := a.attrs["fullname"]; s != "" {
		return s
	}
	return words(cmp.Or(strings.TrimSpace(a.attrs["initials"]+" "+a.attrs["surname"]), a.child("organization").plain()))
}

// addresses writes the addresses of the authors, as they stand at the end.
func (w *xmlWriter) addresses(front *element) {
	all := front.all("author")
	if len(all) == 0 {
		return
	}
	w.Heading(map[bool]string{true: "Author's Address", false: "Authors' Addresses"}[len(all) == 1], 2)
	for _, a := range all {
		var walk func(e *element)
		line := func(s string) {
			w.Words(s)
			w.Break()
		}
		name := author(a)
		if a.attrs["role"] == "editor" {
			name += " (editor)"
		}
		line(name)
		walk = func(e *element) {
			for _, k := range e.kids {
				switch k.name {
				case "organization", "street", "city", "region", "code", "country", "postalLine", "extaddr", "pobox":
					line(words(k.plain()))
				case "phone", "email", "uri", "facsimile":
					line(strings.ToUpper(k.name[:1]) + k.name[1:] + ": " + words(k.plain()))
				default:
					walk(k)
				}
			}
		}
		walk(a)
		w.Paragraph(true)
	}
}

func (w *xmlWriter) children(e *element) {
	for _, k := range e.kids {
		w.block(k)
	}
}

// block writes an element that is a block.
func (w *xmlWriter) block(e *element) {
	switch e.name {
	case "section", "references":
		level := strings.Count(e.number, ".") + 2
		title := e.title()
		if t := e.child("name"); t.name != "" {
			title = words(w.inline(t))
		}
		if title == "" && e.name == "references" {
			title = "References"
		}
		switch {
		case e.number == "":
		case e.number[0] >= 'A' && len(e.number) == 1:
			title = "Appendix " + e.number + ". " + title
		default:
			title = e.number + ". " + title
		}
		w.Heading(title, level)
		w.children(e)
	case "":
		if s := strings.TrimSpace(e.text); s != "" {
			w.Words(s)
			w.Paragraph(true)
		}
	case "t", "postamble", "preamble", "dd", "li", "blockquote", "aside", "td", "th", "annotation":
		w.flow(e)
		w.Paragraph(true)
	case "ul", "ol", "list":
		w.list(e)
	case "dl":
		w.definitions(e)
	case "figure":
		w.children(e)
		title := e.title()
		if e.number != "" {
			s := "Figure " + e.number
			if title != "" {
				s += ": " + title
			}
			w.Words(s)
			w.Paragraph(true)
			w.Figure(s)
		} else if title != "" {
			w.Words(title)
			w.Paragraph(true)
		}
	case "artwork", "sourcecode":
		if e.attrs["src"] != "" && strings.TrimSpace(e.plain()) == "" {
			w.Words("(includes " + e.attrs["src"] + ")")
			w.Paragraph(true)
			return
		}
		w.Code(strings.Trim(e.plain(), "\n"), words(e.attrs["type"]), "")
	case "artset":
		for _, a := range e.all("artwork") {
			if strings.TrimSpace(a.plain()) != "" && a.attrs["type"] != "svg" {
				w.block(a)
				return
			}
		}
	case "table":
		w.table(e)
	case "texttable":
		w.texttable(e)
	case "reference":
		w.reference(e, e.attrs["anchor"])
	case "referencegroup":
		for _, r := range e.all("reference") {
			w.reference(r, e.attrs["anchor"])
		}
	case "xinclude":
		w.Words("(includes " + e.attrs["href"] + ")")
		w.Paragraph(true)
	case "name", "iref", "cref", "toc", "author", "title", "seriesInfo", "displayreference", "link", "comment":
	case "vspace":
		w.Break()
	default:
		w.children(e)
	}
}

// blocks are elements that end the text that they stand in.
var blocks = map[string]bool{
	"t": true, "ul": true, "ol": true, "dl": true, "list": true, "figure": true, "artwork": true, "sourcecode": true, "table": true, "texttable": true, "blockquote": true, "aside": true, "artset": true,
}

// flow writes an element that holds text, blocks or both.
func (w *xmlWriter) flow(e *element) {
	for _, k := range e.kids {
		switch {
		case blocks[k.name]:
			if w.margin == 0 || k.name != "t" {
				w.Paragraph(false)
			}
			if k.name == "t" {
				w.flow(k)
				w.Paragraph(w.margin == 0)
				continue
			}
			w.block(k)
		case k.name == "vspace" || k.name == "br":
			w.Break()
		default:
			w.Words(w.piece(k))
		}
	}
}

// inline returns the text of an element with its references.
func (w *xmlWriter) inline(e *element) string {
	var b strings.Builder
	for _, k := range e.kids {
		b.WriteString(w.piece(k))
	}
	return b.String()
}

func (w *xmlWriter) piece(e *element) string {
	switch e.name {
	case "":
		return e.text
	case "xref", "relref":
		return w.xref(e)
	case "eref":
		s, to := w.inline(e), e.attrs["target"]
		if strings.TrimSpace(s) == "" {
			return "<" + to + ">"
		}
		if to == "" || strings.TrimSpace(s) == to {
			return s
		}
		return s + " (" + to + ")"
	case "iref", "cref", "name":
		return ""
	case "spanx", "em", "strong", "tt", "bcp14", "u", "sub", "sup", "contact":
		if e.name == "contact" {
			return e.attrs["fullname"]
		}
		return w.inline(e)
	case "vspace", "br":
		return " "
	}
	if blocks[e.name] || e.name == "li" || e.name == "dt" || e.name == "dd" {
		return " " + w.inline(e) + " "
	}
	return w.inline(e)
}

// xref returns what a reference shows.
func (w *xmlWriter) xref(e *element) string {
	target := e.attrs["target"]
	shown, own := w.anchors[target], strings.TrimSpace(w.inline(e))
	if shown == "" {
		shown = "[" + target + "]"
	}
	cited := strings.HasPrefix(shown, "[")
	switch e.attrs["format"] {
	case "counter":
		if _, n, ok := strings.Cut(shown, " "); ok {
			shown = n
		}
	case "title":
		shown = cmp.Or(w.titles[target], shown)
	case "none":
		if own != "" {
			return own
		}
	}
	if s := e.attrs["section"]; s != "" {
		kind := "Section "
		if s[0] >= 'A' && s[0] <= 'Z' {
			kind = "Appendix "
		}
		switch e.attrs["sectionFormat"] {
		case "comma":
			shown += ", " + kind + s
		case "parens":
			shown += " (" + kind + s + ")"
		case "bare":
			shown = s
		default:
			shown = kind + s + " of " + shown
		}
	}
	switch {
	case own == "":
		return shown
	case cited:
		return own + " " + shown
	case own == shown || e.attrs["format"] == "counter":
		return own
	}
	return own + " (" + shown + ")"
}

// item writes an item of a list behind its mark.
func (w *xmlWriter) item(mark string, e *element) {
	w.Mark(strings.Repeat(" ", w.margin) + mark)
	was := w.margin
	w.margin = min(was+max(len(mark), 2), 24)
	w.flow(e)
	w.Paragraph(false)
	w.margin = was
	w.Mark(strings.Repeat(" ", was))
}

func (w *xmlWriter) list(e *element) {
	style := cmp.Or(e.attrs["style"], e.attrs["type"])
	n := 0
	if s, err := strconv.Atoi(e.attrs["start"]); err == nil {
		n = s - 1
	}
	group := cmp.Or(e.attrs["group"], e.attrs["counter"])
	if group != "" {
		n = w.counts[group]
	}
	for _, k := range e.kids {
		if k.name == "" {
			continue
		}
		if k.name != "t" && k.name != "li" {
			w.block(k)
			continue
		}
		n++
		mark := "- "
		switch {
		case e.name == "ul":
			if e.attrs["empty"] == "true" {
				mark = ""
			}
		case style == "hanging" || k.attrs["hangText"] != "":
			w.Words(k.attrs["hangText"] + " ")
			mark = ""
		case style == "numbers" || e.name == "ol" && (style == "" || style == "1"):
			mark = fmt.Sprint(n) + ". "
		case style == "letters" || style == "a" || style == "A" || e.name == "ol" && (style == "i" || style == "I"):
			mark = compose.Ordinal(n, style[0]) + ". "
			if style == "letters" {
				mark = compose.Ordinal(n, 'a') + ". "
			}
		case strings.HasPrefix(style, "format ") || e.name == "ol" && strings.Contains(style, "%"):
			mark = strings.TrimPrefix(style, "format ")
			for from, to := range map[string]string{"%d": fmt.Sprint(n), "%c": compose.Ordinal(n, 'a'), "%C": compose.Ordinal(n, 'A'), "%i": compose.Ordinal(n, 'i'), "%I": compose.Ordinal(n, 'I')} {
				mark = strings.ReplaceAll(mark, from, to)
			}
			mark = strings.TrimSpace(mark) + " "
		case style == "symbols" || e.name == "ol":
		default:
			mark = ""
		}
		w.item(mark, k)
	}
	if group != "" && len(w.counts) < 10_000 {
		w.counts[group] = n
	}
	w.Paragraph(w.margin == 0)
}

func (w *xmlWriter) definitions(e *element) {
	for _, k := range e.kids {
		switch k.name {
		case "dt":
			w.Words(w.inline(k))
			w.Paragraph(false)
		case "dd":
			w.item("  ", k)
		case "":
		default:
			w.block(k)
		}
	}
	w.Paragraph(w.margin == 0)
}

// table writes a table of version 3.
func (w *xmlWriter) table(e *element) {
	g := &compose.Grid{}
	for _, part := range e.all("thead", "tbody", "tfoot") {
		for _, r := range part.all("tr") {
			g.Row()
			for _, c := range r.all("td", "th") {
				rows, err := strconv.Atoi(cmp.Or(c.attrs["rowspan"], "1"))
				if err != nil {
					rows = 1
				}
				cols, err := strconv.Atoi(cmp.Or(c.attrs["colspan"], "1"))
				if err != nil {
					cols = 1
				}
				g.Cell(words(w.inline(c)), rows, cols)
			}
		}
	}
	w.Table(g.Table(w.caption(e)))
}

func (w *xmlWriter) caption(e *element) string {
	s := e.title()
	if e.number != "" {
		if s != "" {
			s = ": " + s
		}
		s = "Table " + e.number + s
	}
	return s
}

// texttable writes a table of version 2: its cells follow one another.
func (w *xmlWriter) texttable(e *element) {
	for _, p := range e.all("preamble") {
		w.block(p)
	}
	heads := e.all("ttcol")
	g := &compose.Grid{}
	g.Row()
	for _, h := range heads {
		g.Cell(words(w.inline(h)), 1, 1)
	}
	for i, c := range e.all("c") {
		if len(heads) == 0 || i%len(heads) == 0 {
			g.Row()
		}
		g.Cell(words(w.inline(c)), 1, 1)
	}
	w.Table(g.Table(w.caption(e)))
	for _, p := range e.all("postamble") {
		w.block(p)
	}
}

// reference writes an entry of the references.
func (w *xmlWriter) reference(e *element, anchor string) {
	front := e.child("front")
	var parts []string
	authors := front.all("author")
	for i, a := range authors {
		name := strings.TrimSpace(a.attrs["surname"])
		switch {
		case name != "" && i > 0 && i == len(authors)-1:
			name = "and " + strings.TrimSpace(a.attrs["initials"]+" "+name)
		case name != "":
			name = strings.TrimRight(name+", "+a.attrs["initials"], ", ")
		default:
			name = author(a)
		}
		if a.attrs["role"] == "editor" {
			name += ", Ed."
		}
		if name != "" {
			parts = append(parts, name)
		}
	}
	if t := words(w.inline(front.child("title"))); t != "" {
		parts = append(parts, `"`+t+`"`)
	}
	for _, s := range append(e.all("seriesInfo"), front.all("seriesInfo")...) {
		parts = append(parts, strings.TrimSpace(s.attrs["name"]+" "+s.attrs["value"]))
	}
	for _, r := range e.all("refcontent") {
		parts = append(parts, words(w.inline(r)))
	}
	if d := front.child("date"); d.attrs["year"] != "" {
		parts = append(parts, strings.TrimSpace(d.attrs["day"]+" "+d.attrs["month"]+" "+d.attrs["year"]))
	}
	if t := e.attrs["target"]; t != "" {
		parts = append(parts, "<"+t+">")
	}
	w.Words("[" + anchor + "] " + strings.Join(parts, ", ") + ".")
	for _, a := range e.all("annotation") {
		w.Words(" " + w.inline(a))
	}
	w.Paragraph(true)
}

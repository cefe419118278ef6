package rfc

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode"

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
	numbers map[string]string // of items
	labels  map[string]string // of references, by their anchor
	margin  int
	counts  map[string]int // of lists that go on, as they are written
	counted map[string]int // of lists that go on, as they are numbered
}

func newXMLWriter(root *element) *xmlWriter {
	w := &xmlWriter{Page: compose.New(1), root: root, anchors: map[string]string{}, titles: map[string]string{}, numbers: map[string]string{}, labels: map[string]string{}, counts: map[string]int{}, counted: map[string]int{}}
	w.number()
	return w
}

func (w *xmlWriter) document() {
	front := w.root.child("front")
	w.about(front)
	w.Heading(w.meta.Title, 1)
	var groups []string
	for _, k := range front.all("workgroup") {
		groups = append(groups, words(k.plain()))
	}
	for _, s := range []string{strings.Join(w.meta.Authors, ", "), w.meta.Date, w.meta.Subject, strings.Join(groups, "; ")} {
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
				w.Heading(cmp.Or(k.title(), "Note"), 2)
				w.passing(k)
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
		w.passing(e)
		w.children(e)
	case "":
		if s := strings.TrimSpace(e.text); s != "" {
			w.Words(s)
			w.Paragraph(true)
		}
	case "t", "postamble", "preamble", "dd", "li", "blockquote", "aside", "td", "th", "annotation":
		w.flow(e)
		w.Paragraph(true)
		w.source(e)
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
		if e.name == "artwork" && (e.attrs["type"] == "svg" || e.child("svg").name != "") {
			w.image(e)
			return
		}
		code := strings.Trim(e.plain(), "\n")
		if e.attrs["markers"] == "true" {
			begin := "<CODE BEGINS>"
			if name := e.attrs["name"]; name != "" {
				begin += ` file "` + name + `"`
			}
			code = begin + "\n" + code + "\n<CODE ENDS>"
		}
		w.Code(code, words(e.attrs["type"]), "")
	case "artset":
		arts := e.all("artwork")
		for _, a := range arts {
			if strings.TrimSpace(a.plain()) != "" && a.attrs["type"] != "svg" {
				w.block(a)
				return
			}
		}
		for _, a := range arts[:min(len(arts), 1)] {
			w.block(a)
		}
	case "table":
		w.table(e)
	case "texttable":
		w.texttable(e)
	case "reference":
		w.reference(e, "["+w.label(e.attrs["anchor"])+"] ")
	case "referencegroup":
		label := "[" + w.label(e.attrs["anchor"]) + "] "
		if t := e.attrs["target"]; t != "" {
			w.Words(label + "<" + t + ">.")
			w.Paragraph(true)
			label = ""
		}
		for _, r := range e.all("reference", "xinclude") {
			if r.name == "xinclude" {
				w.block(r)
				continue
			}
			w.reference(r, label)
		}
	case "contact":
		w.address(e)
	case "cref":
		w.Words(w.piece(e))
		w.Paragraph(true)
	case "xinclude":
		w.Words("(includes " + e.attrs["href"] + ")")
		w.Paragraph(true)
	case "name", "iref", "toc", "author", "title", "seriesInfo", "displayreference", "link", "comment":
	case "vspace":
		w.Break()
	default:
		w.children(e)
	}
}

// passing says of a note or section that it is for the time before the document is an RFC.
func (w *xmlWriter) passing(e *element) {
	s := "This " + e.name + " is to be removed before publishing as an RFC."
	if e.attrs["removeInRFC"] == "true" && words(e.child("t").plain()) != s {
		w.Words(s)
		w.Paragraph(true)
	}
}

// source writes whom a quotation is from.
func (w *xmlWriter) source(e *element) {
	if e.name != "blockquote" || e.attrs["quotedFrom"] == "" && e.attrs["cite"] == "" {
		return
	}
	w.Words("— " + e.attrs["quotedFrom"])
	if c := e.attrs["cite"]; c != "" {
		w.Words(" <" + c + ">")
	}
	w.Paragraph(true)
}

// image writes what an image says in words: its alternative text, or its title, description and labels.
func (w *xmlWriter) image(e *element) {
	var parts []string
	add := func(s string) {
		if s = words(s); s != "" {
			parts = append(parts, s)
		}
	}
	add(e.attrs["alt"])
	var walk func(e *element)
	walk = func(e *element) {
		switch e.name {
		case "title", "desc", "text":
			add(e.plain())
		case "style", "script", "metadata":
		default:
			for _, k := range e.kids {
				walk(k)
			}
		}
	}
	walk(e)
	w.Words(strings.Join(parts, " "))
	w.Paragraph(true)
}

// script writes what stands above or below the line, as in formulas.
func script(sign, s string) string {
	s = words(s)
	plain := strings.TrimLeft(s, "+-")
	if strings.HasPrefix(plain, "(") && strings.HasSuffix(plain, ")") || plain != "" && !strings.ContainsFunc(plain, func(r rune) bool { return r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		return sign + s
	}
	return sign + "(" + s + ")"
}

// unicodeText returns what an element <u> shows: the characters, and as its format says their codes or what they are in ASCII. The names of characters are not given.
func unicodeText(e *element) string {
	s := e.plain()
	var codes []string
	for _, r := range s {
		if len(codes) < 1000 {
			codes = append(codes, fmt.Sprintf("U+%04X", r))
		}
	}
	as := map[string]string{"lit": `"` + s + `"`, "char": s, "num": strings.Join(codes, " "), "ascii": cmp.Or(e.attrs["ascii"], s), "name": ""}
	format := cmp.Or(e.attrs["format"], "lit-name-num")
	if strings.Contains(format, "{") {
		for k, v := range as {
			format = strings.ReplaceAll(format, "{"+k+"}", v)
		}
		return format
	}
	var shown []string
	for part := range strings.SplitSeq(format, "-") {
		if v := as[part]; v != "" {
			shown = append(shown, v)
		}
	}
	if len(shown) == 0 {
		return s
	}
	if len(shown) == 1 {
		return shown[0]
	}
	return shown[0] + " (" + strings.Join(shown[1:], ", ") + ")"
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
	case "cref":
		s := words(w.inline(e))
		if s == "" || e.attrs["display"] == "false" {
			return ""
		}
		if from := e.attrs["source"]; from != "" {
			s += " —" + from
		}
		return " [" + s + "] "
	case "iref", "name":
		return ""
	case "contact":
		return named(author(e), e.attrs["asciiFullname"])
	case "u":
		return unicodeText(e)
	case "sub":
		return script("_", w.inline(e))
	case "sup":
		return script("^", w.inline(e))
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
		if n := w.numbers[target]; n != "" {
			shown = n
		} else if _, n, ok := strings.Cut(shown, " "); ok {
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
		switch cmp.Or(e.attrs["sectionFormat"], e.attrs["displayFormat"]) {
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

// counter returns the mark of item n of a list of a style; "" where its items have none.
func counter(name, style string, n int) string {
	switch {
	case style == "numbers" || name == "ol" && (style == "" || style == "1"):
		return fmt.Sprint(n) + ". "
	case style == "letters":
		return compose.Ordinal(n, 'a') + ". "
	case style == "a" || style == "A" || name == "ol" && (style == "i" || style == "I"):
		return compose.Ordinal(n, style[0]) + ". "
	case strings.HasPrefix(style, "format ") || name == "ol" && strings.Contains(style, "%"):
		mark := strings.TrimPrefix(style, "format ")
		for from, to := range map[string]string{"%p": "", "%d": fmt.Sprint(n), "%c": compose.Ordinal(n, 'a'), "%C": compose.Ordinal(n, 'A'), "%i": compose.Ordinal(n, 'i'), "%I": compose.Ordinal(n, 'I')} {
			mark = strings.ReplaceAll(mark, from, to)
		}
		return strings.TrimSpace(mark) + " "
	case name == "ol":
		return "- "
	}
	return ""
}

// first returns the number before that of the first item of a list, which may go on with that of another.
func first(e *element, counts map[string]int) (n int, group string) {
	group = cmp.Or(e.attrs["group"], e.attrs["counter"])
	if s, err := strconv.Atoi(e.attrs["start"]); err == nil {
		return s - 1, group
	}
	return counts[group], group
}

func (w *xmlWriter) list(e *element) {
	style := cmp.Or(e.attrs["style"], e.attrs["type"])
	n, group := first(e, w.counts)
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
		case style == "symbols":
		default:
			mark = counter(e.name, style, n)
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

package rst

import (
	"fmt"
	"strings"

	"github.com/findspot/findspot/docsearch/internal/compose"
	"github.com/findspot/findspot/docsearch/internal/mathtext"
)

// A writer writes blocks when all labels are known.
type writer struct {
	*compose.Page
	doc     *document
	section int   // level of the section under way
	objects int   // descriptions of objects around
	counts  []int // of sections, by level; for sectnum
	margin  int   // blanks before a paragraph
	within  int   // substitutions around

	noteRefs, signRefs int // references to footnotes without a label so far
}

func (w *writer) document(nodes []*node) {
	d := w.doc
	d.docinfo(w, nodes)
	if d.meta.Title == "" {
		for _, n := range nodes {
			if n.kind == heading {
				d.meta.Title = w.inline(n.text)
				break
			}
		}
	}
	// A title that is alone on its level is that of the document: sections are numbered below it.
	first, top := 0, 0
	for _, n := range nodes {
		if n.kind == heading && n.level == 1 {
			top++
		}
	}
	if top == 1 {
		first = 1
	}
	if d.numbered {
		w.number(nodes, first)
	}
	w.blocks(nodes, false)
}

// number puts the numbers of sections before their titles.
func (w *writer) number(nodes []*node, skip int) {
	for _, n := range nodes {
		k := n.level - skip
		if n.kind != heading || k < 1 {
			continue
		}
		for len(w.counts) < k {
			w.counts = append(w.counts, 0)
		}
		w.counts = w.counts[:k]
		w.counts[k-1]++
		parts := make([]string, k)
		for i, c := range w.counts {
			parts[i] = fmt.Sprint(c)
		}
		n.text = strings.Join(parts, ".") + " " + n.text
	}
}

// docinfo takes what the fields at the beginning say of the document, and drops those that speak to Sphinx.
func (d *document) docinfo(w *writer, nodes []*node) {
	for i, n := range nodes {
		if n.kind == heading && i < 2 {
			continue
		}
		if n.kind != container || n.mark != "fields" {
			return
		}
		var kept []*node
		for _, f := range n.kids {
			value := w.plain(f.kids)
			switch strings.ToLower(f.text) {
			case "author":
				d.meta.Authors = append(d.meta.Authors, value)
			case "authors":
				for a := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ';' || r == ',' }) {
					d.meta.Authors = append(d.meta.Authors, strings.TrimSpace(a))
				}
			case "organization":
				d.meta.Institutions = append(d.meta.Institutions, value)
			case "date":
				if !strings.ContainsAny(value, "$") {
					d.meta.Date = value
				}
			case "abstract":
				d.meta.Abstract = value
			case "keywords":
				d.meta.Keywords = value
			case "title":
				d.meta.Title = firstOf(d.meta.Title, value)
			case "orphan", "tocdepth", "nocomments", "nosearch", "no-search":
				continue
			}
			kept = append(kept, f)
		}
		n.kids = kept
		return
	}
}

// blocks writes blocks; tight ones have no empty lines between them.
func (w *writer) blocks(nodes []*node, tight bool) {
	for i, n := range nodes {
		if i > 0 && nodes[i-1].kind == note && n.kind != note {
			w.Paragraph(true)
		}
		w.block(n, tight)
	}
}

func (w *writer) block(n *node, tight bool) {
	gap := !tight
	switch n.kind {
	case paragraph:
		w.Words(w.inline(n.text))
		w.Paragraph(gap)
	case heading:
		w.section = n.level
		w.Heading(w.inline(n.text), n.level)
	case literal:
		w.Pre(n.text)
	case quote:
		w.indented(2, false, func() { w.blocks(n.kids, tight) })
		w.Paragraph(gap)
	case list:
		simple := true
		for _, it := range n.kids {
			for i, k := range it.kids {
				simple = simple && (k.kind == paragraph && i == 0 || k.kind == list)
			}
		}
		for _, it := range n.kids {
			w.Mark(strings.Repeat(" ", w.margin) + it.mark)
			w.indented(len(it.mark), true, func() { w.blocks(it.kids, simple) })
		}
		w.Paragraph(gap)
	case term:
		for line := range strings.SplitSeq(n.text, "\n") {
			w.Words(w.inline(line))
			w.Paragraph(false)
		}
		w.indented(2, false, func() { w.blocks(n.kids, tight) })
		w.Paragraph(gap)
	case field:
		w.Words(w.inline(n.text) + ": ")
		w.flow(n.kids, true)
		w.Paragraph(false)
	case labelled:
		if n.text != "" {
			w.Words(w.inline(n.text) + ": ")
		}
		w.flow(n.kids, tight)
		w.Paragraph(gap)
	case note:
		w.Mark(strings.Repeat(" ", w.margin) + n.mark)
		w.indented(len(n.mark), true, func() { w.blocks(n.kids, true) })
	case lineBlock:
		if n.mark == "literal" {
			lines := make([]string, len(n.lines))
			for i, s := range n.lines {
				lines[i] = strings.Repeat(" ", indentOf(s)) + w.inline(s)
			}
			w.Pre(strings.Join(lines, "\n"))
			return
		}
		for _, s := range n.lines {
			w.Words(w.inline(s))
			w.Break()
		}
		w.Paragraph(gap)
	case grid:
		w.grid(n)
	case figure:
		alt := strings.TrimSpace(n.text)
		if len(n.kids) == 0 {
			w.Words(" " + w.inline(alt) + " ")
			w.Paragraph(gap)
			return
		}
		if n.kids[0].kind == paragraph {
			w.Figure(w.inline(n.kids[0].text))
		}
		w.blocks(n.kids, false)
	case object:
		for _, s := range n.lines {
			w.Heading(w.inline(literalText(s)), min(w.section+1+w.objects, 20))
		}
		w.objects++
		w.blocks(n.kids, tight)
		w.objects--
		w.Paragraph(true)
	case formula:
		w.formula(n.text)
		w.Paragraph(gap)
	case container:
		w.blocks(n.kids, tight)
		w.Paragraph(gap)
	}
}

// formula writes each row of a formula as a line.
func (w *writer) formula(s string) {
	for line := range strings.SplitSeq(mathtext.Text(s), "\n") {
		w.Words(line)
		w.Break()
	}
}

// flow writes blocks of which the first goes on in the paragraph under way.
func (w *writer) flow(nodes []*node, tight bool) {
	if len(nodes) > 0 && nodes[0].kind != paragraph {
		w.Paragraph(false)
	}
	w.blocks(nodes, tight)
}

// indented writes with a margin that is wider by n. Where a mark was set, the first paragraph begins with it.
func (w *writer) indented(n int, marked bool, write func()) {
	was := w.margin
	w.margin = min(was+n, 24)
	if !marked {
		w.Mark(strings.Repeat(" ", w.margin))
	}
	write()
	w.Paragraph(false)
	w.margin = was
	w.Mark(strings.Repeat(" ", w.margin))
}

// grid writes a table. The text of a cell is one line.
func (w *writer) grid(n *node) {
	g := &compose.Grid{}
	for _, row := range n.rows {
		g.Row()
		for _, c := range row {
			g.Cell(w.plain(c.kids), c.rowSpan, c.colSpan)
		}
	}
	w.Table(g.Table(w.inline(n.text)))
}

// plain returns blocks as one line.
func (w *writer) plain(nodes []*node) string {
	var b strings.Builder
	var walk func(nodes []*node)
	add := func(s string) {
		if s = strings.Join(strings.Fields(s), " "); s != "" {
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(s)
		}
	}
	walk = func(nodes []*node) {
		for _, n := range nodes {
			add(n.markText())
			switch n.kind {
			case literal:
				add(n.text)
			case formula:
				add(mathtext.Text(n.text))
			case field, labelled:
				add(w.inline(n.text) + ":")
			default:
				add(w.inline(n.text))
			}
			for _, s := range n.lines {
				add(w.inline(s))
			}
			walk(n.kids)
			for _, row := range n.rows {
				for _, c := range row {
					walk(c.kids)
				}
			}
		}
	}
	walk(nodes)
	return b.String()
}

// markText returns the mark of a node that is to be read.
func (n *node) markText() string {
	if n.kind == item || n.kind == note {
		return n.mark
	}
	return ""
}

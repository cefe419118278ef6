package asciidoc

import (
	"fmt"
	"strings"

	"github.com/findspot/findspot/docsearch/internal/compose"
	"github.com/findspot/findspot/docsearch/internal/format"
	"github.com/findspot/findspot/docsearch/internal/mathtext"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// A writer writes blocks when all titles are known.
type writer struct {
	*compose.Page
	doc    *document
	margin int
	notes  map[string]int // numbers of footnotes that have a name
	count  int            // footnotes so far
	due    []string       // footnotes to be written
	within int            // references around
}

// blocks writes blocks; tight ones have no empty lines between them.
func (w *writer) blocks(nodes []*node, tight bool) {
	for _, n := range nodes {
		w.block(n, tight)
		if w.margin == 0 {
			w.flush()
		}
	}
}

// flush writes the footnotes that are due.
func (w *writer) flush() {
	if len(w.due) == 0 {
		return
	}
	due := w.due
	w.due = nil
	w.Paragraph(true)
	for _, s := range due {
		w.Words(s)
		w.Paragraph(false)
	}
	w.Paragraph(true)
}

// text writes words in which "\n" ends a line.
func (w *writer) text(s string) {
	for i, line := range strings.Split(w.inline(s), "\n") {
		if i > 0 {
			w.Break()
		}
		w.Words(line)
	}
}

func (w *writer) block(n *node, tight bool) {
	gap := !tight
	switch n.kind {
	case paragraph:
		w.text(n.text)
		w.Paragraph(gap)
	case heading:
		w.Heading(strings.ReplaceAll(w.inline(n.text), "\n", " "), n.level)
	case literal:
		w.Code(n.text, n.mark, "")
	case verse:
		for line := range strings.SplitSeq(n.text, "\n") {
			w.Words(w.inline(line))
			w.Break()
		}
		w.Paragraph(gap)
	case quote:
		w.indented(2, false, func() { w.blocks(n.kids, tight) })
		w.Paragraph(gap)
	case list:
		simple := true
		for _, it := range n.kids {
			for i, k := range it.kids {
				simple = simple && (k.kind == paragraph && i == 0 || k.kind == list && it.kind == item)
			}
		}
		for _, it := range n.kids {
			if it.kind == term {
				w.text(it.text)
				w.Paragraph(false)
				w.indented(2, false, func() { w.blocks(it.kids, simple) })
				w.Paragraph(gap)
				continue
			}
			w.Mark(strings.Repeat(" ", w.margin) + it.mark)
			w.indented(len(it.mark), true, func() { w.blocks(it.kids, simple) })
		}
		w.Paragraph(gap)
	case labelled:
		if n.text != "" {
			w.Words(w.inline(n.text) + ": ")
		}
		if len(n.kids) > 0 && n.kids[0].kind != paragraph {
			w.Paragraph(false)
		}
		w.blocks(n.kids, tight)
		w.Paragraph(gap)
	case formula:
		w.formula(n)
		w.Paragraph(gap)
	case figure:
		w.Words(" " + n.mark + " ")
		w.Paragraph(false)
		if n.text != "" {
			caption := w.inline(n.text)
			w.Figure(caption)
			w.Words(caption)
		}
		w.Paragraph(gap)
	case container:
		if n.text != "" {
			w.text(n.text)
			w.Paragraph(true)
		}
		w.blocks(n.kids, tight)
		w.Paragraph(gap)
	case raw:
		if format.WriteHTML(w.Page, []byte(n.text), 0) != nil {
			w.Words(format.HTMLText([]byte(n.text)))
		}
		w.Paragraph(gap)
	case table:
		g := &compose.Grid{}
		for _, row := range n.rows {
			g.Row()
			for _, c := range row {
				g.Cell(w.plain(c.kids), c.rowSpan, c.colSpan)
			}
		}
		w.Table(g.Table(strings.ReplaceAll(w.inline(n.text), "\n", " ")))
	}
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
	w.Mark(strings.Repeat(" ", was))
}

// formula writes a formula, of LaTeX or of AsciiMath, which is readable as it stands.
func (w *writer) formula(n *node) {
	s := n.text
	if w.isLatex(n.mark) {
		s = mathtext.Text(s)
	}
	for line := range strings.SplitSeq(s, "\n") {
		w.Words(line)
		w.Break()
	}
}

func (w *writer) isLatex(macro string) bool {
	return macro == "latexmath" || macro == "stem" && w.doc.attributes["stem"] == "latexmath"
}

// plain returns blocks as one line.
func (w *writer) plain(nodes []*node) string {
	var b strings.Builder
	add := func(s string) {
		if s = strings.Join(strings.Fields(s), " "); s != "" {
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(s)
		}
	}
	var walk func(nodes []*node)
	walk = func(nodes []*node) {
		for _, n := range nodes {
			switch n.kind {
			case item:
				add(n.mark)
			case literal, raw:
				add(n.text)
				continue
			case formula:
				if w.isLatex(n.mark) {
					add(mathtext.Text(n.text))
				} else {
					add(n.text)
				}
				continue
			case labelled:
				add(w.inline(n.text) + ":")
				walk(n.kids)
				continue
			case figure:
				add(n.mark)
			}
			add(w.inline(n.text))
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

var htmlTag = lazyregexp.New(`<[^<>]*>`)

// footnote notes a footnote and returns its mark.
func (w *writer) footnote(id, text string) string {
	if id != "" && w.notes[id] > 0 && text == "" {
		return fmt.Sprintf("[%d]", w.notes[id])
	}
	w.count++
	if id != "" {
		w.notes[id] = w.count
	}
	mark := fmt.Sprintf("[%d]", w.count)
	if w.within < 5 && len(w.due) < 100_000 {
		w.within++
		w.due = append(w.due, mark+" "+strings.ReplaceAll(w.inline(text), "\n", " "))
		w.within--
	}
	return mark
}

package word

import (
	"strings"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/internal/compose"
)

// captionOf says what a caption is of: by the word that it counts, or by its first.
func captionOf(sequence, s string) string {
	if sequence == "" {
		if f := strings.Fields(s); len(f) > 0 {
			sequence = strings.ToLower(f[0])
		}
	}
	for _, k := range []struct{ start, of string }{
		{"fig", "figure"}, {"abb", "figure"}, {"ill", "figure"}, {"bild", "figure"}, {"drawing", "figure"}, {"图", "figure"}, {"図", "figure"}, {"рис", "figure"},
		{"tab", "table"}, {"表", "table"}, {"таб", "table"}, {"tavola", "table"}, {"cuadro", "table"},
	} {
		if strings.HasPrefix(sequence, k.start) {
			return k.of
		}
	}
	return "any"
}

// captions gives the tables and figures the captions that stand beside them: above a table, and below a figure, where both are.
func (r *reader) captions(blocks []block) {
	beside := func(i, step int) *block {
		for i += step; i >= 0 && i < len(blocks); i += step {
			b := &blocks[i]
			if b.kind == text && strings.TrimSpace(b.text) == "" && !b.figure || b.kind == breakSoft {
				continue
			}
			return b
		}
		return nil
	}
	for i := range blocks {
		c := &blocks[i]
		if c.caption == "" || c.figure {
			if c.caption != "" { // the picture stands in the caption's own paragraph
				c.figcaption = strings.Join(strings.Fields(c.text), " ")
			}
			continue
		}
		said := strings.Join(strings.Fields(c.text), " ")
		before, after := beside(i, -1), beside(i, 1)
		figure := func(b *block) bool {
			if c.caption == "table" || b == nil || !b.figure || b.figcaption != "" {
				return false
			}
			b.figcaption = said
			if a := strings.Join(b.alts, " "); a != "" && strings.Contains(said, a) && strings.TrimSpace(b.text) == "["+a+"]" {
				b.text = "" // the caption says it
			}
			return true
		}
		tabular := func(b *block) bool {
			if c.caption == "figure" || b == nil || b.kind != table || b.captioned {
				return false
			}
			b.table.caption, b.captioned, c.used = said, true, true
			return true
		}
		_ = figure(before) || tabular(after) || tabular(before) || figure(after)
	}
}

// writer makes the pages.
type writer struct {
	pages []*extract.Page
	page  *compose.Page
	fresh bool     // nothing is on the page yet
	notes []string // footnotes that are due
	code  []string // lines of code under way
}

func (r *reader) pages(blocks []block) []*extract.Page {
	w := &writer{page: compose.New(1), fresh: true}
	for i := range blocks {
		w.block(&blocks[i], i+1 < len(blocks) && closed(&blocks[i], &blocks[i+1]))
	}
	w.flush()
	if len(r.endnotes) > 0 {
		w.fresh = false
		w.lines(r.endnotes)
	}
	if lines := r.comments.lines(); len(lines) > 0 {
		w.fresh = false
		w.page.Heading("Comments", 1)
		w.lines(lines)
	}
	if !w.fresh || len(w.pages) == 0 {
		w.pages = append(w.pages, w.page.End())
	}
	return w.pages
}

// closed reports whether no line stays empty between two blocks.
func closed(a, b *block) bool {
	return a.kind == text && b.kind == text && (a.mark != "" && b.mark != "" || a.contents && b.contents) && b.level == 0
}

func (w *writer) block(b *block, closed bool) {
	if !b.code || b.kind != text {
		w.endCode()
	}
	switch b.kind {
	case breakHere:
		w.turn()
	case breakSoft:
		if !w.fresh {
			w.turn()
		}
	case table:
		w.table(b)
	case text:
		w.text(b, closed)
	}
	w.notes = append(w.notes, b.notes...)
}

// turn ends the page.
func (w *writer) turn() {
	w.flush()
	w.pages = append(w.pages, w.page.End())
	w.page, w.fresh = compose.New(len(w.pages)+1), true
}

func (w *writer) flush() {
	w.endCode()
	notes := w.notes
	w.notes = nil
	w.lines(notes)
}

func (w *writer) endCode() {
	if len(w.code) > 0 {
		w.page.Pre(strings.Join(w.code, "\n"))
		w.code = nil
	}
}

func (w *writer) lines(lines []string) {
	for _, s := range lines {
		w.page.Paragraph(true)
		mark := ""
		if at := strings.Index(s, "- "); at >= 0 && strings.TrimSpace(s[:at]) == "" {
			mark, s = s[:at+2], s[at+2:]
		}
		w.page.Mark(mark)
		w.page.Words(s)
		w.page.Paragraph(mark == "")
	}
	w.page.Mark("")
}

func (w *writer) text(b *block, closed bool) {
	w.fresh = false
	if b.figure {
		caption := b.figcaption
		if caption == "" {
			caption = strings.Join(b.alts, "; ")
		}
		w.page.Figure(caption)
	}
	switch {
	case b.used: // the table writes it
	case b.code:
		w.code = append(w.code, b.text)
	case b.level > 0:
		notes := w.notes
		w.notes = nil
		w.lines(notes)
		w.page.Heading(strings.Join(strings.Fields(b.text), " "), b.level)
	default:
		w.page.Mark(b.mark)
		for i, part := range strings.Split(b.text, "\n") {
			if i > 0 {
				w.page.Break()
			}
			w.page.Words(part)
		}
		w.page.Paragraph(!closed)
		w.page.Mark("")
	}
}

// table writes a table, a part on each page that it is on.
func (w *writer) table(b *block) {
	g := b.table
	page := 0
	for from := 0; from < len(g.rows); {
		to := from + 1
		for to < len(g.rows) && g.pages[to] == g.pages[from] {
			to++
		}
		for ; page < g.pages[from]; page++ {
			w.turn()
		}
		t := g.table(from, to)
		if from > 0 {
			t.Continued = true
		}
		w.fresh = false
		w.page.Table(t)
		from = to
	}
	for ; page < g.turns; page++ {
		w.turn()
	}
}

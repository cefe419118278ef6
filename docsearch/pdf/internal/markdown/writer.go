package markdown

import (
	"math"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf/internal/caption"
	"github.com/findspot/findspot/docsearch/pdf/internal/catalog"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
	"github.com/findspot/findspot/docsearch/pdf/internal/inline"
	"github.com/findspot/findspot/docsearch/pdf/internal/layout"
	"github.com/findspot/findspot/docsearch/pdf/internal/structure"
	"github.com/findspot/findspot/docsearch/pdf/internal/table"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// A lineKind says what a line is in the Markdown view.
type lineKind int

const (
	kindText    lineKind = iota
	kindRunning          // header or footer: left out
	kindTable
	kindTitle
	kindHeading
	kindTaken // a line that continues a heading, title or caption
	kindCaption
	kindCode
	kindFormula
	kindFigure // lettering of a figure
	kindNote   // footnote
	kindAside  // text that does not run to the right
	kindEntry  // of a table of contents
)

// An mline is a line on its way into the Markdown view.
type mline struct {
	l       *layout.Line
	raw     int // line of the page's raw text, from 1
	text    string
	kind    lineKind
	table   int  // kindTable: index in writer.tables
	heading bool // the first line of a heading
	stacked bool // put together from pieces: no entry of a table of contents
	marked  bool // by the outline
	noted   bool // kindNote: of a note that begins with its mark
	level   int
	span    int // lines that a heading or caption takes
	lead    int // lines of span that only say "Chapter 3": the number of title
	title   string
}

// A writer makes the Markdown view and the headings of one page.
type writer struct {
	v       *caption.Page
	tables  *table.List
	st      *structure.Style
	page    *extract.Page
	lines   []mline
	orphans []catalog.Bookmark // entries of the outline whose heading is not on the page
	columns []column
	shapes  []geometry.Rect // small ones, which may be marks of lists
	lead    float64         // usual step between lines of a paragraph, in ems

	out    strings.Builder
	para   []inline.Span
	last   *mline      // last line of para
	items  []listEntry // open list items
	prefix string      // what stands before the first line of para
	ended  listEntry   // the last item of the list that ended last
	inList bool        // the last block written was a list item
	tab    float64     // where the text of the last term of a list of terms began
	floats []string
	notes  []string
}

// A column is where lines of text begin and end.
type column struct {
	left, right float64
	lines       int
}

// Write writes the page as Markdown, and notes its headings and the lines that stand apart. Headers and footers are left out, footnotes and text at the margin come last.
func Write(v *caption.Page, tables *table.List, st *structure.Style, p *extract.Page) {
	w := &writer{v: v, tables: tables, st: st, page: p, lines: make([]mline, 0, len(v.Lines))}
	w.out.Grow(len(p.Text) + len(p.Text)/8)
	raw := 0
	for i := range v.Lines {
		l := &v.Lines[i]
		text := strings.TrimSpace(l.Text)
		if text == "" {
			continue
		}
		text = inline.SpellLigatures(text)
		raw++
		m := mline{l: l, raw: raw, text: text, table: -1}
		switch {
		case p.Number == 1 && slices.Contains(st.Titled, i):
			m.kind = kindTitle
		case l.Dx < .99 && st.Asides[structure.FoldDigits(l.Text)]:
			m.kind = kindRunning
		case l.Dx < .99:
			m.kind = kindAside
		case (l.Base > .9*v.Canvas.Height || l.Base < .08*v.Canvas.Height) && loneNumber.MatchString(text):
			m.kind = kindRunning
		case st.IsRunning(l, v.Canvas.Height):
			m.kind = kindRunning
		}
		w.lines = append(w.lines, m)
	}
	w.joinStacks()
	w.markFolio()
	w.findColumns()
	w.findBullets()
	w.classify()
	w.blocks()
	p.Markdown, p.Headings, p.Apart = strings.TrimRight(w.out.String(), "\n")+"\n", w.headings(), w.apart()
}

// markFolio finds the number of the page where it stands alone below or above all else. On pages that were not sampled,
// and in Roman numerals, it is like no other line.
func (w *writer) markFolio() {
	for i := range w.lines {
		m := &w.lines[i]
		l := m.l
		if m.kind != kindText || l.Base > .2*w.v.Canvas.Height && l.Base < .8*w.v.Canvas.Height || !folio.MatchString(m.text) {
			continue
		}
		alone := true
		for k := range w.lines {
			o := w.lines[k].l
			if k == i || o.Dx < .99 {
				continue
			}
			if l.Base > .5*w.v.Canvas.Height && o.Base > l.Base-1.5*l.Size || l.Base < .5*w.v.Canvas.Height && o.Base < l.Base+1.5*l.Size {
				alone = false
				break
			}
		}
		if alone {
			m.kind = kindRunning
		}
	}
}

// findColumns notes where lines of the usual size begin, and how far those lines go.
func (w *writer) findColumns() {
	type edge struct{ left, right float64 }
	var edges []edge
	var steps []float64
	for i := range w.lines {
		l := w.lines[i].l
		if w.lines[i].kind != kindText || math.Abs(l.Size-w.st.BodySize) > .15*w.st.BodySize {
			continue
		}
		edges = append(edges, edge{l.Box.X0, l.Box.X1})
		if i > 0 {
			if p := w.lines[i-1].l; math.Abs(p.Box.X0-l.Box.X0) < 1 && math.Abs(p.Size-l.Size) < .5 {
				if step := (l.Base - p.Base) / l.Size; step > .8 && step < 3 {
					steps = append(steps, step)
				}
			}
		}
	}
	slices.SortFunc(edges, func(a, b edge) int { return int(math.Copysign(1, a.left-b.left)) })
	for i := 0; i < len(edges); {
		c := column{left: edges[i].left}
		j := i
		for j < len(edges) && edges[j].left-edges[i].left < 3 {
			c.right = math.Max(c.right, edges[j].right)
			j++
		}
		if c.lines = j - i; c.lines >= 3 && c.right-c.left > 6*w.st.BodySize {
			w.columns = append(w.columns, c)
		}
		i = j
	}
	w.lead = 1.2
	if len(steps) > 2 {
		w.lead = geometry.Median(steps, 0)
	}
}

// column returns the edges of the column that a line stands in.
func (w *writer) column(l *layout.Line) (left, right float64) {
	best := -1
	for i, c := range w.columns {
		if c.left <= l.Box.X0+2 && c.right > l.Box.X0+1 && (best < 0 || c.lines > w.columns[best].lines || c.left > w.columns[best].right-4) {
			best = i
		}
	}
	if best < 0 {
		if w.st.Slides {
			return l.Box.X0, math.Max(l.Box.X1, .9*w.v.Canvas.Width)
		}
		return l.Box.X0, math.Max(l.Box.X1, l.Box.X0+1)
	}
	return w.columns[best].left, w.columns[best].right
}

// join is the text of n lines from i on.
func (w *writer) join(i, n int) string {
	var spans []inline.Span
	for k := i; k < i+n && k < len(w.lines); k++ {
		spans = inline.Join(w.v.Words, spans, []inline.Span{{Text: w.lines[k].text}})
	}
	return inline.Text(spans)
}

// folio is the number of a page, front matter included.
var folio = lazyregexp.New(`^[-–—]?\s*(?:\d{1,4}|[ivxl]{1,6})\s*[-–—]?$`)

// loneNumber is the number of a page, alone on its line.
var loneNumber = lazyregexp.New(`^[-–—]?\s*\d{1,4}\s*[-–—]?$`)

// headings lists the headings of the page by line.
func (w *writer) headings() []extract.Heading {
	var out []extract.Heading
	for i := range w.lines {
		if m := &w.lines[i]; m.heading {
			out = append(out, extract.Heading{Text: m.title, Level: m.level, Line: m.raw, Bookmark: m.marked})
		}
	}
	for _, b := range w.orphans {
		h := extract.Heading{Text: b.Title, Level: b.Level, Line: 1, Bookmark: true}
		if i := w.lineAt(b.Y); i >= 0 {
			h.Line = w.lines[i].raw
		}
		out = append(out, h)
	}
	slices.SortStableFunc(out, func(a, b extract.Heading) int { return a.Line - b.Line })
	return out
}

// joinStacks puts the pieces of such lines together.
func (w *writer) joinStacks() {
	out := w.lines[:0]
	for i := range w.lines {
		m := w.lines[i]
		if n := len(out); n > 0 && m.kind == kindText && out[n-1].kind == kindText {
			a := out[n-1].l
			if from, ok := inline.IsStack(a, m.l); ok {
				out[n-1] = out[n-1].with(inline.Stack(a, m.l, from), m.text)
				continue
			}
			if out[n-1].stacked && inline.Follows(a, m.l) {
				l := *a
				l.Segs = slices.Concat(a.Segs, m.l.Segs)
				l.Box = l.Box.Union(m.l.Box)
				out[n-1] = out[n-1].with(&l, m.text)
				continue
			}
		}
		out = append(out, m)
	}
	w.lines = out
}

// with is a line with another one joined to it.
func (m mline) with(l *layout.Line, text string) mline {
	m.text += " " + text
	l.Text = m.text
	m.l, m.stacked = l, true
	return m
}

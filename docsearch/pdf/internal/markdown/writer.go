package markdown

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/pdf/internal/caption"
	"github.com/findspot/findspot/docsearch/pdf/internal/catalog"
	"github.com/findspot/findspot/docsearch/pdf/internal/formula"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
	"github.com/findspot/findspot/docsearch/pdf/internal/inline"
	"github.com/findspot/findspot/docsearch/pdf/internal/layout"
	"github.com/findspot/findspot/docsearch/pdf/internal/pattern"
	"github.com/findspot/findspot/docsearch/pdf/internal/structure"
	"github.com/findspot/findspot/docsearch/pdf/internal/table"
	"github.com/findspot/findspot/internal/clause"
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
	page    *docsearch.Page
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

// Write writes the page as Markdown and returns its headings. Headers and footers are left out, footnotes and text at the margin come last.
func Write(v *caption.Page, tables *table.List, st *structure.Style, p *docsearch.Page) (string, []docsearch.Heading) {
	w := &writer{v: v, tables: tables, st: st, page: p, lines: make([]mline, 0, len(v.Lines))}
	w.out.Grow(len(p.Text) + len(p.Text)/8)
	raw := 0
	for i := range v.Lines {
		l := &v.Lines[i]
		text := strings.TrimSpace(l.Text)
		if text == "" {
			continue
		}
		text = inline.Ligatures.Replace(text)
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
	return strings.TrimRight(w.out.String(), "\n") + "\n", w.headings()
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
		slices.Sort(steps)
		w.lead = steps[len(steps)/2]
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

// classify says of each line what it is.
func (w *writer) classify() {
	w.matchBookmarks(w.st.Marks[w.page.Number])
	entries := 0
	for i := range w.lines {
		if m := &w.lines[i]; m.kind == kindText && !m.stacked && led(m.text) {
			entries++
		}
	}
	for i := range w.lines {
		m := &w.lines[i]
		if m.kind != kindText && m.kind != kindAside {
			continue
		}
		if k := w.tables.At(m.l.Box); k >= 0 {
			m.kind, m.table = kindTable, k
		} else if m.kind == kindText && entries >= 3 && w.entry(i) {
			m.kind = kindEntry
		}
	}
	w.markFigures()
	w.markNotes()
	w.markFoot()
	for i := range w.lines {
		m := &w.lines[i]
		if m.kind != kindText {
			continue
		}
		switch {
		case caption.Is(m.text):
			m.kind = kindCaption
			m.span = w.captionLines(i)
		case !w.st.Mono && layout.IsMono(m.l) && w.codeLine(i):
			m.kind = kindCode
		case !w.st.Slides && w.headingAt(i) || w.st.Slides && w.slideTitle(i):
			m.kind, m.heading = kindHeading, true
			m.level = w.st.Level(m.l, m.text)
			m.span = w.headingLines(i)
			m.title = w.join(i, m.span)
			w.chapter(i)
		case w.formulaLine(m):
			m.kind = kindFormula
		default:
			continue
		}
		for k := i + 1; k < i+m.span; k++ {
			w.lines[k].kind = kindTaken
		}
	}
	w.growFormulas()
	w.checkFormulas()
}

// formulaLine reports whether a line is a displayed formula or a part of one.
func (w *writer) formulaLine(m *mline) bool {
	if mark, _ := listMark(m.text); bulletOnly(mark) || m.l.Dx < .99 || len(m.text) > 300 || w.st.Mono {
		return false
	}
	return formula.Is(formula.Line{Line: m.l, Text: m.text}, func() (left, right float64) { return w.column(m.l) })
}

// entry reports whether a line is of a table of contents: it has leaders, or stands beside one that does.
func (w *writer) entry(i int) bool {
	if w.lines[i].stacked {
		return false // "x1 + . . . + xn", with exponents
	}
	if led(w.lines[i].text) {
		return true
	}
	if _, _, numbered := clause.Parse(w.lines[i].text); numbered && endNumber.MatchString(w.lines[i].text) {
		return true // a chapter, without leaders
	}
	if endNumber.MatchString(w.lines[i].text) {
		for _, k := range []int{i - 2, i - 1, i + 1, i + 2} {
			if k >= 0 && k < len(w.lines) && led(w.lines[k].text) {
				return true
			}
		}
	}
	near := func(k int) bool {
		return k >= 0 && k < len(w.lines) && w.lines[k].table < 0 && led(w.lines[k].text) &&
			math.Abs(w.lines[k].l.Base-w.lines[i].l.Base) < 2.5*w.lines[i].l.Size
	}
	return near(i-1) && pageNumber.MatchString(w.lines[i].text) || near(i+1) && !w.st.HeadingShape(w.lines[i].l, w.lines[i].text) ||
		near(i+2) && i+1 < len(w.lines) && pageNumber.MatchString(w.lines[i+1].text)
}

// led reports whether a line looks like an entry of a table of contents, and not like a sum that leaves out terms: three
// points lead to a number.
func led(s string) bool {
	return structure.Leaders.MatchString(s) && (endNumber.MatchString(s) || strings.Contains(s, "....") || strings.Contains(s, ". . . .") || strings.HasSuffix(s, "."))
}

// folio is the number of a page, front matter included.
var folio = regexp.MustCompile(`^[-–—]?\s*(?:\d{1,4}|[ivxl]{1,6})\s*[-–—]?$`)

// loneNumber is the number of a page, alone on its line.
var loneNumber = regexp.MustCompile(`^[-–—]?\s*\d{1,4}\s*[-–—]?$`)

var endNumber = pattern.Regexp{Regexp: regexp.MustCompile(`\D\s+\d{1,4}$`), Maybe: pattern.EndsInDigit}

var pageNumber = regexp.MustCompile(`^[\divxlc]{1,6}$`)

// markFigures finds the lettering of figures. Running text over a picture is not lettering.
func (w *writer) markFigures() {
	page := w.v.Canvas.Width * w.v.Canvas.Height
	for _, f := range w.page.Figures {
		b := geometry.NewRect(f.BBox.X0, f.BBox.Y0, f.BBox.X1, f.BBox.Y1)
		if b.Width()*b.Height() > .6*page {
			continue
		}
		var in []int
		prose, left := 0, 0 // left: lines left of the one that the box holds too
		for i := range w.lines {
			m := &w.lines[i]
			if left--; m.kind == kindText && caption.Is(m.text) {
				left = w.captionBody(i)
			}
			if left > 0 {
				continue
			}
			if (m.kind == kindText || m.kind == kindAside) && b.Has(m.l.Box.MidX(), m.l.Box.MidY()) {
				in = append(in, i)
				if len(m.text) > 60 {
					prose++
				}
			}
		}
		if prose >= 3 {
			continue
		}
		for _, i := range in {
			w.lines[i].kind = kindFigure
		}
	}
}

var noteStart = regexp.MustCompile(`^(?:[*∗†‡§¶]{1,3}|\d{1,3})\s?\S`)

// markNotes finds footnotes: small type in the lower half that begins with a mark.
func (w *writer) markNotes() {
	for i := 0; i < len(w.lines); i++ {
		m := &w.lines[i]
		if m.kind != kindText || m.l.Size > w.st.BodySize-.45 || m.l.Base < .5*w.v.Canvas.Height || !noteStart.MatchString(m.text) {
			continue
		}
		spans := w.st.Spans(m.l)
		first, _ := utf8.DecodeRuneInString(m.text)
		if len(spans) == 0 || spans[0].Face&inline.Superscript == 0 && unicode.IsDigit(first) {
			continue
		}
		m.kind = kindNote
		for k := i + 1; k < len(w.lines); k++ {
			n, p := &w.lines[k], w.lines[k-1].l
			step := n.l.Base - p.Base
			if n.kind != kindText || step < -.5*p.Size || step > 1.7*p.Size || math.Abs(n.l.Size-m.l.Size) > .6 {
				break
			}
			n.kind = kindNote
			i = k
		}
	}
}

// markFoot finds small type that ends a column, as a copyright notice does.
func (w *writer) markFoot() {
	for i := 0; i < len(w.lines); i++ {
		m := &w.lines[i]
		small := func(k int) bool {
			l := w.lines[k].l
			return w.lines[k].kind == kindText && l.Size < w.st.BodySize-.45 && l.Base > .5*w.v.Canvas.Height && !layout.IsMono(l)
		}
		if !small(i) || i == 0 || w.lines[i-1].kind != kindText || w.lines[i-1].l.Base > m.l.Base || caption.Is(m.text) {
			continue
		}
		j := i + 1
		for j < len(w.lines) && small(j) && w.lines[j].l.Base > w.lines[j-1].l.Base-2 {
			j++
		}
		if j < len(w.lines) && w.lines[j].l.Base > w.lines[j-1].l.Base-2*w.st.BodySize || w.lines[j-1].l.Base < .8*w.v.Canvas.Height {
			continue // the column goes on below
		}
		for k := i; k < j; k++ {
			w.lines[k].kind = kindNote
		}
		i = j
	}
}

// captionLines is how many lines a caption takes.
func (w *writer) captionLines(i int) int {
	n := 1
	for i+n < len(w.lines) && n < 14 {
		a, b := w.lines[i+n-1].l, w.lines[i+n].l
		step := b.Base - a.Base
		if w.lines[i+n].kind != kindText || step < -.3*a.Size || step > 1.45*math.Max(a.Size, b.Size) || math.Abs(b.Size-w.lines[i].l.Size) > .12*w.lines[i].l.Size ||
			b.Box.X0 > a.Box.X1 && step > .3*a.Size || b.Box.X1 < a.Box.X0 || caption.Is(w.lines[i+n].text) {
			break
		}
		if _, right := w.column(a); n > 0 && endsSentence(w.lines[i+n-1].text) && a.Box.X1 < right-.25*(right-w.lines[i].l.Box.X0) {
			break // a short last line
		}
		n++
	}
	return n
}

// captionBody is how many lines of a caption begin where its first line does, or are centred with it, as lettering rarely is.
func (w *writer) captionBody(i int) int {
	first := w.lines[i].l.Box
	n := 1
	for most := w.captionLines(i); n < most; n++ {
		if b := w.lines[i+n].l.Box; math.Abs(b.X0-first.X0) > 1.5 && math.Abs(b.MidX()-first.MidX()) > 1.5 {
			break
		}
	}
	return n
}

// codeLine tells a line of a listing from one in which only a name is set in a fixed pitch.
func (w *writer) codeLine(i int) bool {
	m := &w.lines[i]
	if i > 0 && w.lines[i-1].kind == kindCode {
		return true
	}
	if i+1 < len(w.lines) && layout.IsMono(w.lines[i+1].l) && math.Abs(w.lines[i+1].l.Base-m.l.Base) > .3*m.l.Size {
		return true
	}
	if len(w.para) == 0 && i > 0 && w.lines[i-1].kind == kindText {
		p := w.lines[i-1].l
		return !(math.Abs(p.Box.X0-m.l.Box.X0) < 1 && m.l.Base-p.Base < 1.5*m.l.Size && m.l.Base > p.Base)
	}
	return true
}

// slideTitle reports whether line i is the title of a slide: the first text, above the others and larger or heavier than they are.
func (w *writer) slideTitle(i int) bool {
	m := &w.lines[i]
	if m.l.Base > .3*w.v.Canvas.Height || structure.LetterCount(m.text) < 2 || m.l.Size < .95*w.st.BodySize {
		return false
	}
	for k := range w.lines {
		o := &w.lines[k]
		if k == i || o.kind == kindRunning || o.kind == kindTaken || o.l.Dx < .99 {
			continue
		}
		if k < i && o.kind != kindTitle && o.l.Size > .8*w.st.BodySize || o.l.Base < m.l.Base-1 && o.l.Size > m.l.Size || o.l.Size > 1.02*m.l.Size {
			return false
		}
	}
	return m.l.Size >= 1.12*w.st.BodySize || layout.IsBold(m.l) && !w.st.Bold || !w.st.Bold && m.l.Base < .15*w.v.Canvas.Height
}

// below reports whether line i is one of the lines of usual weight that are centred under a centred title: who wrote the
// document, and when. What sections are usually called is a heading all the same, and so is a line with a number.
func (w *writer) below(i int) bool {
	if _, _, numbered := clause.Parse(w.lines[i].text); numbered || clause.Known(w.lines[i].text) {
		return false
	}
	middle := 0.0
	for k := i; k >= 0; k-- {
		m := &w.lines[k]
		if m.kind == kindTitle {
			middle = m.l.Box.MidX()
			break
		}
		if m.kind != kindText && m.kind != kindRunning || i-k > 8 || layout.IsBold(m.l) {
			return false
		}
	}
	if middle == 0 || math.Abs(middle-w.v.Canvas.Width/2) > .05*w.v.Canvas.Width {
		return false
	}
	for k := i; w.lines[k].kind != kindTitle; k-- {
		if b := w.lines[k].l.Box; math.Abs(b.MidX()-middle) > .02*w.v.Canvas.Width || b.Width() > .8*w.v.Canvas.Width {
			return false
		}
	}
	return true
}

// headingAt reports whether a heading begins at line i, by its looks and by what stands around it.
func (w *writer) headingAt(i int) bool {
	m := &w.lines[i]
	if _, _, numbered := clause.Parse(m.text); w.page.Number == 1 && i <= w.st.People && (!numbered || structure.DateLine(m.text) != "") && !clause.Known(m.text) {
		return false // the authors, and a date that begins with its day
	}
	if w.page.Number == 1 && w.below(i) {
		return false // authors whose names we do not know as such, a date
	}
	if !w.st.HeadingShape(m.l, m.text) || w.st.Bold && m.l.Size < 1.1*w.st.BodySize {
		return false
	}
	if mark, _ := listMark(m.text); bulletOnly(mark) {
		return false
	}
	larger := m.l.Size >= 1.12*w.st.BodySize
	// What goes on on its line, before or after, is running text.
	for _, k := range []int{i - 1, i + 1} {
		if k < 0 || k >= len(w.lines) || w.lines[k].kind != kindText && w.lines[k].kind != kindTable {
			continue
		}
		o := w.lines[k].l
		if math.Abs(o.Base-m.l.Base) < .4*m.l.Size && o.Box.X0 < m.l.Box.X1+40 && o.Box.X1 > m.l.Box.X0-40 && math.Abs(o.Size-m.l.Size) < .2*m.l.Size && !layout.IsBold(o) {
			return false
		}
	}
	if i > 0 && w.lines[i-1].kind == kindText && !larger {
		p := &w.lines[i-1]
		step := m.l.Base - p.l.Base
		tight := step > 0 && step < 1.12*w.lead*m.l.Size && math.Abs(p.l.Box.X0-m.l.Box.X0) < 2*m.l.Size
		if _, right := w.column(p.l); tight && p.l.Box.X1 > right-2*p.l.Size && !endsSentence(p.text) {
			return false // the middle of a paragraph
		}
		if tight && !layout.IsBold(m.l) && !endsSentence(p.text) {
			return false
		}
	}
	if i+1 < len(w.lines) && !larger && w.lines[i+1].kind == kindText {
		// A bold line that fills the column and goes on is a paragraph in bold.
		n := w.lines[i+1].l
		if _, right := w.column(m.l); m.l.Box.X1 > right-m.l.Size && layout.IsBold(n) && n.Base > m.l.Base && n.Base-m.l.Base < 1.5*m.l.Size {
			k := i + 1
			for k < len(w.lines) && layout.IsBold(w.lines[k].l) && k-i < 5 {
				k++
			}
			if k-i > 3 {
				return false
			}
		}
	}
	_, _, numbered := clause.Parse(m.text)
	if !numbered && larger && m.l.Size < 1.3*w.st.BodySize && len(m.text) > 100 {
		return false
	}
	return true
}

// chapter joins "Chapter 3" on a line of its own, which is line i or the one before it, with the title below it.
func (w *writer) chapter(i int) {
	m := &w.lines[i]
	if n, title, ok := clause.Parse(m.title); ok && n.Word != "" && title == "" {
		k := i + m.span
		if k >= len(w.lines) || w.lines[k].kind != kindText || !w.headingAt(k) || w.lines[k].l.Base < m.l.Base {
			return
		}
		if _, _, numbered := clause.Parse(w.lines[k].text); numbered {
			return
		}
		span := w.headingLines(k)
		m.title, m.lead = n.Text+" "+w.join(k, span), m.span
		m.span += span
		return
	}
	if i == 0 || w.lines[i-1].kind != kindText {
		return
	}
	p := &w.lines[i-1]
	n, title, ok := clause.Parse(p.text)
	if !ok || n.Word == "" || title != "" || p.l.Base > m.l.Base || m.l.Base-p.l.Base > 5*m.l.Size {
		return
	}
	if own, _, numbered := clause.Parse(m.title); !numbered {
		m.title = n.Text + " " + m.title
	} else if own.Text != n.Text {
		return
	}
	*p = mline{l: p.l, raw: p.raw, text: p.text, table: -1, kind: kindHeading, heading: true, marked: m.marked, level: m.level,
		span: m.span + 1, lead: 1, title: m.title}
	m.kind, m.heading = kindTaken, false
}

// headingLines is how many lines a heading at i takes: those after it that look the same and are set close.
func (w *writer) headingLines(i int) int {
	n := 1
	first := w.lines[i].l
	for i+n < len(w.lines) && n < 4 {
		a, b := w.lines[i+n-1].l, w.lines[i+n].l
		step := b.Base - a.Base
		if w.lines[i+n].kind != kindText || b.Dx < .99 || math.Abs(b.Size-first.Size) > .06*first.Size || step < -.3*first.Size || step > 1.55*first.Size || layout.IsBold(b) != layout.IsBold(first) || layout.IsItalic(b) != layout.IsItalic(first) {
			break
		}
		if step > .4*first.Size {
			if _, _, numbered := clause.Parse(w.lines[i+n].text); numbered || math.Abs(b.Size-w.st.BodySize) < .05*w.st.BodySize && !layout.IsBold(b) {
				break
			}
			if first.Size < 1.12*w.st.BodySize {
				// Bold at the size of the text: only a full line goes on.
				if _, right := w.column(a); a.Box.X1 < right-4*a.Size {
					break
				}
			}
		}
		n++
	}
	return n
}

// growFormulas adds to a formula the small pieces beside it: a numerator, a row of numbers of a matrix.
func (w *writer) growFormulas() {
	piece := func(k int) bool {
		if k < 0 || k >= len(w.lines) || w.lines[k].kind != kindText {
			return false
		}
		m := &w.lines[k]
		left, _ := w.column(m.l)
		if mark, _ := listMark(m.text); bulletOnly(mark) || m.l.Box.X0 < left+1.2*m.l.Size && len(m.text) > 3 {
			return false
		}
		for _, f := range strings.Fields(m.text) {
			if structure.LetterCount(f) > 2 && !formula.Words[strings.ToLower(strings.Trim(f, ".,"))] {
				return false
			}
		}
		return utf8.RuneCountInString(m.text) < 30
	}
	for i := range w.lines {
		if w.lines[i].kind != kindFormula || formula.Number.MatchString(w.lines[i].text) {
			continue
		}
		for _, step := range []int{-1, 1} {
			for k := i + step; piece(k) && w.near(&w.lines[k], &w.lines[k-step]) && math.Abs(w.lines[k].l.Base-w.lines[k-step].l.Base) < 2*w.st.BodySize; k += step {
				w.lines[k].kind = kindFormula
			}
		}
	}
}

// checkFormulas makes text of an equation number without an equation, and of a sign that stands alone.
func (w *writer) checkFormulas() {
	for i := 0; i < len(w.lines); i++ {
		if w.lines[i].kind != kindFormula {
			continue
		}
		j := i
		solid, letters := false, 0
		for j < len(w.lines) && w.lines[j].kind == kindFormula {
			if !formula.Number.MatchString(w.lines[j].text) {
				letters += utf8.RuneCountInString(w.lines[j].text)
				solid = solid || letters >= 3
			}
			j++
		}
		if !solid {
			for k := i; k < j; k++ {
				w.lines[k].kind = kindText
			}
		}
		i = j - 1
	}
}

// headings lists the headings of the page by line.
func (w *writer) headings() []docsearch.Heading {
	var out []docsearch.Heading
	for i := range w.lines {
		if m := &w.lines[i]; m.heading {
			out = append(out, docsearch.Heading{Text: m.title, Level: m.level, Line: m.raw, Bookmark: m.marked})
		}
	}
	for _, b := range w.orphans {
		h := docsearch.Heading{Text: b.Title, Level: b.Level, Line: 1, Bookmark: true}
		if i := w.lineAt(b.Y); i >= 0 {
			h.Line = w.lines[i].raw
		}
		out = append(out, h)
	}
	slices.SortStableFunc(out, func(a, b docsearch.Heading) int { return a.Line - b.Line })
	return out
}

func endsSentence(s string) bool {
	s = strings.TrimRight(s, ")\"'”’] ")
	if strings.HasSuffix(s, "■") || strings.HasSuffix(s, "□") || strings.HasSuffix(s, "∎") {
		return true // a proof
	}
	return strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") || strings.HasSuffix(s, ":") || strings.HasSuffix(s, "。")
}

// markdown writes a table with its first row as the head. Spanned cells stay empty.
func tableMarkdown(t *table.Table) string {
	d := t.Export()
	var b strings.Builder
	for r, cells := range d.Rows {
		b.WriteByte('|')
		for _, c := range cells {
			c = strings.ReplaceAll(inline.Escape(strings.Join(strings.Fields(c), " ")), "|", `\|`)
			b.WriteString(" " + c + " |")
		}
		b.WriteByte('\n')
		if r == 0 {
			b.WriteString("|" + strings.Repeat(" --- |", t.Cols) + "\n")
		}
	}
	return b.String()
}

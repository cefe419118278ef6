package markdown

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/pdf/internal/caption"
	"github.com/findspot/findspot/docsearch/pdf/internal/formula"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
	"github.com/findspot/findspot/docsearch/pdf/internal/inline"
	"github.com/findspot/findspot/docsearch/pdf/internal/layout"
	"github.com/findspot/findspot/docsearch/pdf/internal/pattern"
	"github.com/findspot/findspot/docsearch/pdf/internal/structure"
	"github.com/findspot/findspot/internal/clause"
	"github.com/findspot/findspot/internal/lazyregexp"
)

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
	return structure.HasLeaders(s) && (endNumber.MatchString(s) || strings.Contains(s, "....") || strings.Contains(s, ". . . .") || strings.HasSuffix(s, "."))
}

var endNumber = pattern.Regexp{Regexp: lazyregexp.New(`\D\s+\d{1,4}$`), Maybe: pattern.EndsInDigit}

var pageNumber = lazyregexp.New(`^[\divxlc]{1,6}$`)

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
				if !w.fills(m.l) {
					in = append(in, i)
				}
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

// fills reports whether a line goes through a column of text from edge to edge, as lettering does not: boxes of figures side by side may reach into the text below one.
func (w *writer) fills(l *layout.Line) bool {
	return slices.ContainsFunc(w.columns, func(c column) bool {
		return c.lines >= 10 && c.right-c.left > 20*w.st.BodySize && math.Abs(l.Box.X0-c.left) < 3 && math.Abs(l.Box.X1-c.right) < l.Size
	})
}

var noteStart = lazyregexp.New(`^(?:[*∗†‡§¶]{1,3}|\d{1,3})\s?\S`)

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
		m.kind, m.noted = kindNote, true
		for k := i + 1; k < len(w.lines); k++ {
			n, p := &w.lines[k], w.lines[k-1].l
			step := n.l.Base - p.Base
			if n.kind != kindText || step < -.5*p.Size || step > 1.7*p.Size || math.Abs(n.l.Size-m.l.Size) > .6 {
				break
			}
			n.kind, n.noted = kindNote, true
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
			if structure.LetterCount(f) > 2 && !formula.IsWord(strings.Trim(f, ".,")) {
				return false
			}
		}
		return utf8.RuneCountInString(m.text) < 30
	}
	for i := range w.lines {
		if w.lines[i].kind != kindFormula || formula.IsNumber(w.lines[i].text) {
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
			if !formula.IsNumber(w.lines[j].text) {
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

// apart returns the lines of the page's raw text that stand apart from its running text. Who reads on over the end of a page, and who quotes that, passes over
// them, so that only what is surely no part of a sentence is among them: small type without the mark of a note is not.
func (w *writer) apart() []int {
	text := slices.ContainsFunc(w.lines, func(m mline) bool { return m.kind == kindText })
	last := 1 + strings.Count(w.page.Text, "\n") // behind the last line
	var out []int
	caption := 0 // lines left of one
	for i := range w.lines {
		m := &w.lines[i]
		if caption--; m.kind == kindCaption {
			caption = max(m.span, 1)
		}
		switch {
		case caption > 0, m.kind == kindRunning, m.kind == kindFigure, m.kind == kindNote && m.noted:
		case m.kind == kindAside && text: // else the page is on its side
		case m.kind == kindTable && w.page.Tables[m.table].Caption != "":
		default:
			continue
		}
		end := last
		if i+1 < len(w.lines) {
			end = w.lines[i+1].raw
		}
		for n := m.raw; n < end; n++ {
			out = append(out, n)
		}
	}
	return out
}

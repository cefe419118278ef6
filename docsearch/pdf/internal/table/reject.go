package table

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
	"github.com/findspot/findspot/docsearch/pdf/internal/grid"
	"github.com/findspot/findspot/docsearch/pdf/internal/tabular"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// accept keeps a sheet's table when it is one.
func (f *finder) accept(s *sheet) bool {
	t := &s.table
	t.tidy()
	t.caption = captionNear(f, t.box)
	if t.rows < 1 || t.Cols < 2 {
		return false
	}
	if s.kind == fromStream && !f.acceptStream(s) {
		return false
	}
	if t.caption == nil && contents(s.lines) || f.rejects(t, s.kind, s.figureShare(), s.rows) {
		return false
	}
	f.add(*t)
	return true
}

// figureShare is how many cells beyond the first column hold figures.
func (s *sheet) figureShare() float64 { return float64(s.figures) / math.Max(1, float64(s.numbers)) }

// acceptStream asks more of a table without rules: it must be filled well, with figures or short cells, and be no prose,
// list or contents.
func (f *finder) acceptStream(s *sheet) bool {
	t := &s.table
	body := t.rows - t.head
	density, perCell := t.density(), t.wordsPerCell()
	captioned := t.caption != nil
	figures := s.figureShare()
	if t.rows < 3 || body < 2 || density < .35 {
		return false
	}
	if !(figures >= .4 || t.Cols >= 3 && perCell <= 4 && density > .6 && t.rows >= 4 || captioned && perCell < 8 && density > .5) {
		return false
	}
	if t.Cols == 2 && figures < .6 && !captioned {
		return false
	}
	long := 0
	for i := range s.lines {
		l := &s.lines[i]
		for k := range l.cells {
			if n := tabular.AlphaWords(l.cells[k].words); k > 0 && n >= 5 || n >= 10 {
				long++
				break
			}
		}
	}
	if float64(long) > .3*float64(len(s.lines)) {
		return false
	}
	return t.rows >= 4 || captioned
}

// rejectGrid reports whether a grid of rules is something else.
func (f *finder) rejectGrid(g *grid.Grid, t Table, filled int) bool {
	captioned := t.caption != nil
	if len(g.Cells) <= 6 && filled < len(g.Cells) && !captioned {
		return true
	}
	figures, n := 0, 0
	for _, c := range t.cells {
		if c.c > 0 && c.text != "" {
			n++
			if tabular.Numeric(c.text) {
				figures++
			}
		}
	}
	return f.rejects(&t, fromLattice, float64(figures)/math.Max(1, float64(n)), nil)
}

// rejects reports whether a table is a figure, a listing, a formula or a chart.
func (f *finder) rejects(t *Table, kind sheetKind, figures float64, rs []tabular.Row) bool {
	captioned := t.caption != nil
	cells := 0
	for _, c := range t.cells {
		if c.text != "" {
			cells++
		}
	}
	if cells < 4 && !captioned || t.rows < 2 && !captioned {
		return true
	}
	diag := f.drawn(t.box)
	density := t.density()
	if !captioned {
		marks := t.count(codeMark)
		if f.figureAt(t.box) || marks > .25 && figures < .4 || marks > .5 || t.assigns() || diag >= 3 && cells <= 16 ||
			kind != fromLattice && t.count(maths) > .4 && figures < .5 || (kind == fromStream || kind == fromChain && figures < .4) && f.formula(rs) {
			return true
		}
	}
	if diag >= 12+cells/2 && !(captioned && kind == fromLattice) {
		return true
	}
	least := .30
	switch {
	case captioned:
		least = .25
	case kind == fromLattice:
		least = .33
	}
	form := kind == fromLattice && t.Cols >= 3 && t.rows >= 4 && t.whole()
	if t.rows >= 3 && density < least && !form {
		return true
	}
	return !captioned && (t.axis() || f.axisUnder(t.box))
}

// density is the share of the table's places that hold text.
func (t *Table) density() float64 {
	n := 0
	for _, c := range t.cells {
		if strings.TrimSpace(c.text) != "" {
			n += max(c.rs, 1) * max(c.cs, 1)
		}
	}
	return float64(n) / math.Max(1, float64(t.rows*t.Cols))
}

func (t *Table) wordsPerCell() float64 {
	n, words := 0, 0
	for _, c := range t.cells {
		if k := len(strings.Fields(c.text)); k > 0 {
			n++
			words += k
		}
	}
	return float64(words) / math.Max(1, float64(n))
}

// whole reports whether no cell spans and the first row names most columns: a form to be filled in.
func (t *Table) whole() bool {
	named := 0
	for _, c := range t.cells {
		if c.rs > 1 || c.cs > 1 {
			return false
		}
		if c.r == 0 && c.text != "" {
			named++
		}
	}
	return float64(named) >= .6*float64(t.Cols)
}

// count is the share of filled cells that a test holds for.
func (t *Table) count(test func(string) bool) float64 {
	n, k := 0, 0
	for _, c := range t.cells {
		if c.text == "" {
			continue
		}
		n++
		if test(c.text) {
			k++
		}
	}
	return float64(k) / math.Max(1, float64(n))
}

var codeMarks = lazyregexp.New(`[{};]\s*$|[{}]|:=|::=|==|!=|->|=>|&&|\|\||::|//|\b[a-z_][A-Za-z_0-9.]*\([^)]*\)`)

// codeMark asks the expression only of text that has one of the characters that each of its branches needs.
func codeMark(s string) bool { return strings.ContainsAny(s, "{};:=>&|/(") && codeMarks.MatchString(s) }

// maths reports whether a cell is part of a formula: signs of mathematics, or single letters with few words about them.
func maths(s string) bool {
	letters, signs, longest, run := 0, 0, 0, 0
	for _, r := range s {
		switch {
		case unicode.IsLetter(r):
			letters++
			run++
			longest = max(longest, run)
			if r >= 0x370 && r < 0x400 || r >= 0x1D400 && r < 0x1D800 {
				signs++
			}
			continue
		case strings.ContainsRune("=<>≤≥≠≈≡∈∉⊂⊆∪∩∧∨¬∀∃→⇒↦←∞∂∇∑∏∫√×·⋅∘⊕⊗⊢⊨|⟨⟩", r) || r >= 0x239B && r <= 0x23B3:
			signs++
		}
		run = 0
	}
	return signs > 0 && longest <= 3 || signs >= 2 && signs*4 >= letters || letters == 1 && len(s) <= 2 && signs > 0
}

// formula reports whether rows are displayed formulas: much of what they hold is signs and letters alone, parts are raised
// and lowered against each other, or they are numbered like equations.
func (f *finder) formula(rs []tabular.Row) bool {
	words, signs, small := 0, 0, 0
	for i := range rs {
		for k := range rs[i].Words {
			words++
			if mathWord(rs[i].Words[k].Text) {
				signs++
			}
		}
		if i > 0 && rs[i].Base-rs[i-1].Base < .8*math.Max(rs[i].Size, rs[i-1].Size) {
			small++
		}
	}
	least := .25
	if numberedRows(rs) > 0 {
		least = .08
	}
	return float64(signs) > least*float64(words) || float64(small) > .2*float64(len(rs)) || equations(rs)
}

// equations reports whether what rows have in common is the numbers of equations.
func equations(rs []tabular.Row) bool { return len(rs) > 0 && numberedRows(rs)*3 >= len(rs) }

// numberedRows counts the rows that end in the number of an equation.
func numberedRows(rs []tabular.Row) int {
	n := 0
	for i := range rs {
		if ps := rs[i].Pieces(1); len(ps) > 1 && equationNumber.MatchString(ps[len(ps)-1].Text()) {
			n++
		}
	}
	return n
}

var equationNumber = lazyregexp.New(`^\(([A-Z]\.?)?\d{1,3}([.-]\d{1,3})*[a-z]?\)$`)

// mathWord reports whether a word is of a formula: signs of mathematics, Greek, brackets alone, or letters alone.
func mathWord(s string) bool {
	letters, digits, others := 0, 0, 0
	for _, r := range s {
		switch {
		case r >= 0x370 && r < 0x400 || r >= 0x2190 && r < 0x2400 || r >= 0x27C0 && r < 0x2A00 || r >= 0x2A00 && r < 0x2B00 || r >= 0x1D400 && r < 0x1D800 ||
			r >= 0xE000 && r < 0xF900 || r == unicode.ReplacementChar || r == '=' || r == '|':
			return true
		case unicode.IsLetter(r):
			letters++
		case unicode.IsDigit(r):
			digits++
		default:
			others++
		}
	}
	switch {
	case letters == 1 && digits == 0:
		return s != "a" && s != "A" && s != "I"
	case letters+digits == 0:
		return strings.ContainsAny(s, "()[]{}+⟨⟩")
	}
	return false
}

// contents reports a list of contents or an index: rows that end in page numbers which never fall.
func contents(lines []sline) bool {
	last, n, rising := -1, 0, 0
	for i := range lines {
		cs := lines[i].cells
		t := cs[len(cs)-1].text
		if k := strings.LastIndexByte(t, ' '); k >= 0 {
			t = t[k+1:]
		}
		v, err := strconv.Atoi(t)
		if err != nil {
			continue
		}
		n++
		if v >= last && v < 5000 {
			rising++
		}
		last = v
	}
	text := 0
	for i := range lines {
		if cs := lines[i].cells; len(cs) > 1 && (tabular.AlphaWords(cs[0].words) > 0 || tabular.AlphaWords(cs[1].words) > 0) {
			text++
		}
	}
	return n >= 4 && float64(n) >= .6*float64(len(lines)) && rising == n && text*2 > len(lines) && len(lines[0].cells) <= 3
}

// axis reports whether a row beneath the head is the labels of an axis, numbers that rise from nought by one step.
func (t *Table) axis() bool {
	rows := make([][]float64, t.rows)
	for _, c := range t.cells { // by row, then column
		if c.r < 2 || len(c.text) > 60 { // heads of columns rise too
			continue
		}
		for f := range strings.FieldsSeq(axisMarks.Replace(c.text)) {
			v, err := strconv.ParseFloat(f, 64)
			if err != nil {
				rows[c.r] = append(rows[c.r], math.NaN())
				break
			}
			rows[c.r] = append(rows[c.r], v)
		}
	}
	return slices.ContainsFunc(rows, isAxis)
}

// isAxis reports whether numbers rise from nought by one step.
func isAxis(vs []float64) bool {
	if len(vs) < 5 || vs[0] != 0 || !(vs[1] > 0) || vs[1] == 1 {
		return false
	}
	for i := range vs[1:] {
		if !(math.Abs(vs[i+1]-vs[i]-vs[1]) < 1e-6*math.Max(1, vs[1])) {
			return false
		}
	}
	return true
}

// axisUnder reports whether the row right under an area is the labels of an axis.
func (f *finder) axisUnder(b geometry.Rect) bool {
	rs := tabular.Between(f.rows, geometry.NewRect(b.X0-2*f.em, b.Y1, b.X1+2*f.em, b.Y1+2.5*f.em))
	if len(rs) == 0 {
		return false
	}
	var vs []float64
	for _, w := range rs[0].Words {
		v, err := strconv.ParseFloat(axisMarks.Replace(w.Text), 64)
		if err != nil {
			return false
		}
		vs = append(vs, v)
	}
	return isAxis(vs)
}

var axisMarks = strings.NewReplacer(",", "", "−", "-", "%", "", "$", "")

// drawn counts the steps of curves and oblique strokes in an area.
func (f *finder) drawn(b geometry.Rect) int {
	n := 0
	for _, d := range f.diag {
		if b.HasMiddle(d) {
			n++
		}
	}
	return n
}

// figureAt reports whether the caption of a figure lies in an area, or beneath it with nothing but the figure between.
func (f *finder) figureAt(b geometry.Rect) bool {
	for i := range f.captions {
		c := &f.captions[i]
		if !c.of.Figure || c.box.X0 >= b.X1 || c.box.X1 <= b.X0 || c.box.Y0 < b.Y0 {
			continue
		}
		if c.box.Y0-b.Y1 < 5*f.em {
			return true
		}
		if f.imageBetween(b.Y1, c.box.Y0, c.box) {
			continue // the caption is that of the image
		}
		text := false
		for _, r := range tabular.Between(f.rows, geometry.NewRect(c.box.X0, b.Y1+1, c.box.X1, c.box.Y0-1)) {
			text = text || tabular.Prose(r.Words, r.Size) && len(r.Words) >= 6
		}
		if !text && c.box.Y0-b.Y1 < .5*f.h {
			return true
		}
	}
	return false
}

// imageBetween reports whether an image lies between two heights, over or under a caption.
func (f *finder) imageBetween(top, bottom float64, caption geometry.Rect) bool {
	return slices.ContainsFunc(f.images, func(im geometry.Rect) bool {
		return im.Y0 > top-1 && im.Y1 < bottom+1 && im.Height() > 2*f.em && im.X0 < caption.X1 && im.X1 > caption.X0
	})
}

var assignEnd = lazyregexp.New(`(?:^|\s)(?:[:+]?=|<-|->|=>)$`)

// assigns reports whether most cells of a column end in a sign that gives a value to a name, as in a listing of settings.
func (t *Table) assigns() bool {
	signs, others := make([]int, t.Cols), make([]int, t.Cols)
	for i := range t.cells {
		switch c := &t.cells[i]; {
		case c.text == "":
		case assignEnd.MatchString(c.text):
			signs[c.c]++
		default:
			others[c.c]++
		}
	}
	for c := range signs {
		if signs[c] >= 2 && signs[c] > others[c] {
			return true
		}
	}
	return false
}

package table

import (
	"math"
	"slices"
	"sort"

	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
	"github.com/findspot/findspot/docsearch/pdf/internal/grid"
	"github.com/findspot/findspot/docsearch/pdf/internal/tabular"
)

type sheetKind int

const (
	fromLattice sheetKind = iota // a grid whose rules are not all there
	fromChain                    // between horizontal rules
	fromStream                   // no rules
)

const maxRows = 1000

// A sheet is an area read as a table by the columns its words stand in.
type sheet struct {
	f       *finder
	kind    sheetKind
	box     geometry.Rect
	em      float64
	rows    []tabular.Row
	above   []tabular.Row  // rows above the area, top to bottom: heads may go on there
	hor     []content.Rule // horizontal rules in and at the area
	forced  []content.Rule // vertical rules that divide columns
	gutters []gutter
	head    int // rows of the head
	lines   []sline
	table   Table

	numbers, figures int // cells beyond the first column, and those of them with figures
}

// A sline is a row of a sheet in cells.
type sline struct {
	*tabular.Row
	cells []scell
}

// A scell is what a row has in one column, or in several.
type scell struct {
	c, cs  int
	x0, x1 float64
	text   string
	num    bool
	words  []tabular.Word
}

func (l *sline) has(c int) bool {
	return slices.ContainsFunc(l.cells, func(x scell) bool { return x.c <= c && c < x.c+x.cs })
}

func newSheet(f *finder, b geometry.Rect, kind sheetKind) *sheet {
	s := &sheet{f: f, kind: kind, box: b}
	if kind == fromLattice {
		s.rows = tabular.Between(f.rows, geometry.NewRect(b.X0-1, b.Y0-1, b.X1+1, b.Y1+1))
	}
	return s
}

// findRules collects the rules that concern the sheet.
func (s *sheet) findRules() {
	s.hor = s.hor[:0]
	for _, r := range s.f.hor {
		if r.Pos >= s.box.Y0-grid.Tolerance && r.Pos <= s.box.Y1+grid.Tolerance && math.Min(r.Hi, s.box.X1)-math.Max(r.Lo, s.box.X0) >= grid.LeastRule {
			s.hor = append(s.hor, r)
		}
	}
	if s.kind != fromLattice {
		for _, r := range s.f.ver {
			if r.Pos >= s.box.X0-grid.Tolerance && r.Pos <= s.box.X1+grid.Tolerance && math.Min(r.Hi, s.box.Y1)-math.Max(r.Lo, s.box.Y0) >= .3*s.box.Height() {
				s.forced = append(s.forced, r)
			}
		}
	}
}

// ruled reports whether a horizontal rule over at least that share of lo to hi lies between two heights.
func (s *sheet) ruled(y0, y1, lo, hi, share float64) bool {
	return slices.ContainsFunc(s.hor, func(h content.Rule) bool { return h.Pos > y0 && h.Pos < y1 && grid.Covers(s.hor, h.Pos, lo, hi, share) })
}

// ruledAcross reports whether a rule over nearly all of the sheet, its first column too, lies between two heights. Rules
// beneath heads of groups leave out the first column.
func (s *sheet) ruledAcross(y0, y1 float64) bool {
	x0, w := s.box.X0, s.box.Width()
	return s.ruled(y0, y1, x0, s.box.X1, .8) && s.ruled(y0, y1, x0, x0+.1*w, .6)
}

// read finds the columns, the head and the rows. False when there are no columns.
func (s *sheet) read() bool {
	if len(s.rows) < 2 || len(s.rows) > maxRows {
		return false
	}
	for i := range s.rows {
		s.f.work += len(s.rows[i].Words)
	}
	if s.f.work > maxTableWork {
		return false
	}
	s.em = tabular.Em(s.rows)
	s.findRules()
	s.gutters = s.columns()
	if len(s.gutters) == 0 || len(s.gutters) > 60 {
		return false
	}
	for i := range s.rows {
		s.lines = append(s.lines, sline{&s.rows[i], s.cells(&s.rows[i])})
	}
	s.head = s.headHeight()
	s.grow()
	s.build(s.heads())
	return s.table.rows >= 2
}

// column is the column a place belongs to.
func (s *sheet) column(x float64) int {
	return sort.Search(len(s.gutters), func(i int) bool { return (s.gutters[i].lo+s.gutters[i].hi)/2 > x })
}

// extent is where a column's text lies.
func (s *sheet) extent(c int) (lo, hi float64) {
	lo, hi = s.box.X0, s.box.X1
	if c > 0 {
		lo = s.gutters[c-1].hi
	}
	if c < len(s.gutters) {
		hi = s.gutters[c].lo
	}
	return lo, hi
}

// over returns the columns that a piece lies over.
func (s *sheet) over(x0, x1 float64) (c, cs int) {
	tol := math.Min(.3*s.em, .3*(x1-x0))
	first, last := -1, -1
	for k := 0; k <= len(s.gutters); k++ {
		lo, hi := s.extent(k)
		if k == 0 {
			lo = math.Min(lo, x0)
		}
		if k == len(s.gutters) {
			hi = math.Max(hi, x1)
		}
		if math.Min(hi, x1)-math.Max(lo, x0) > tol {
			if first < 0 {
				first = k
			}
			last = k
		}
	}
	if first < 0 {
		return s.column((x0 + x1) / 2), 1
	}
	return first, last - first + 1
}

// cells reads a row of the body into cells.
func (s *sheet) cells(r *tabular.Row) []scell {
	var out []scell
	ps := r.Pieces(.45)
	for _, p := range ps {
		for _, q := range s.divide(p, false) {
			x0, x1 := q.X0(), q.X1()
			c, cs := s.over(x0, x1)
			t := q.Text()
			num := tabular.Numeric(t)
			if cs > 1 && !num {
				// Text that begins where a column does and runs on over empty ones is that column's.
				lo, _ := s.extent(c)
				if len(ps) == 1 || x0 < lo+1.5*s.em {
					cs = 1
				}
			}
			if n := len(out); n > 0 && out[n-1].c+out[n-1].cs > c {
				p := &out[n-1]
				p.cs = max(p.c+p.cs, c+cs) - p.c
				p.text += " " + t
				p.num = tabular.Numeric(p.text)
				p.x1 = math.Max(p.x1, x1)
				p.words = p.words[:len(p.words)+len(q.Words)] // both are parts of the row's, one after the other
				continue
			}
			out = append(out, scell{c, cs, x0, x1, t, num, q.Words})
		}
	}
	return out
}

// divide cuts a piece over several columns where a space stands in a gutter and is wider than those between words. A
// head is cut only when all its gutters allow it.
func (s *sheet) divide(p tabular.Piece, head bool) []tabular.Piece {
	c, cs := s.over(p.X0(), p.X1())
	if cs < 2 || len(p.Words) < 2 {
		return []tabular.Piece{p}
	}
	space := wordSpace(p.Words)
	var out []tabular.Piece
	start := 0
	for k := c; k < c+cs-1; k++ {
		at := -1
		best := 0.0
		end := p.Words[start].Box.X1
		for i := start + 1; i < len(p.Words); i++ {
			gap := p.Words[i].Box.X0 - end
			// The space has to lie in the gutter, or reach into it.
			if gap > best && p.Words[i].Box.X0 >= s.gutters[k].lo && end <= s.gutters[k].hi {
				best, at = gap, i
			}
			end = math.Max(end, p.Words[i].Box.X1)
		}
		wide := best >= .38*p.Size && best >= 1.25*space || at > 0 && !head && s.gutters[k].sure
		if at > 0 && !wide && !head {
			wide = best >= .2*p.Size && (tabular.Numeric(p.Part(at, len(p.Words)).Text()) || tabular.Numeric(p.Part(start, at).Text()))
		}
		if at < 0 || !wide {
			if head {
				return []tabular.Piece{p}
			}
			continue
		}
		out = append(out, p.Part(start, at))
		start = at
	}
	return append(out, p.Part(start, len(p.Words)))
}

// wordSpace is the median space between words that follow each other, 0 when there are too few to tell.
func wordSpace(ws []tabular.Word) float64 {
	if len(ws) < 4 {
		return 0
	}
	var gaps []float64
	for i := 1; i < len(ws); i++ {
		gaps = append(gaps, ws[i].Box.X0-ws[i-1].Box.X1)
	}
	return geometry.Median(gaps, 0)
}

package table

import (
	"github.com/findspot/findspot/docsearch/pdf/internal/grid"
	"github.com/findspot/findspot/docsearch/pdf/internal/tabular"
	"github.com/findspot/findspot/internal/hyphen"
)

// lattices reads the grids of rules.
func (f *finder) lattices() {
	for _, l := range grid.Lattices(f.hor, f.ver) {
		b := l.Box()
		if f.isUsed(b) || b.Width() > .97*f.w && b.Height() > .95*f.h {
			continue
		}
		if g := l.Grid(f.em); g != nil {
			f.lattice(&l, g)
		}
	}
}

func (f *finder) lattice(l *grid.Lattice, g *grid.Grid) {
	total := g.Fill(f.rows)
	filled, most := 0, 0
	for i := range g.Cells {
		if n := len(g.Cells[i].Words); n > 0 {
			filled++
			most = max(most, n)
		}
	}
	if filled < 2 || most > 60 && float64(most) > .6*float64(total) {
		return // a frame around text
	}
	if n := g.Crossed(); n >= 2 && float64(n) > .1*float64(total) {
		return // lines drawn over text
	}
	b := g.Box()
	if g.HidesColumns() {
		// Most rules are missing: alignment says more than the walls that are there.
		s := newSheet(f, b, fromLattice)
		s.forced = l.Vertical
		if s.read() && f.accept(s) {
			return
		}
	}
	em := tabular.Em(tabular.Between(f.rows, b))
	g.Split(em)
	t := gridTable(g, f.words)
	bare := t.rows >= 3 && t.density() < .15 // bars of a chart, which end where they will
	t.tidy()
	t.caption = captionNear(f, b)
	if bare && t.caption == nil {
		return
	}
	if t.rows < 1 || t.Cols < 2 || f.rejectGrid(g, t, filled) {
		return
	}
	f.add(t)
}

// gridTable is a grid as a table.
func gridTable(g *grid.Grid, words *hyphen.Vocabulary) Table {
	rows, cols := g.Size()
	t := Table{box: g.Box(), rows: rows, Cols: cols, ruled: true}
	for i := range g.Cells {
		c := &g.Cells[i]
		t.cells = append(t.cells, tcell{c.Row, c.Col, c.Rows, c.Cols, tabular.CellText(words, c.Words)})
	}
	return t
}

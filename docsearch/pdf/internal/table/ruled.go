package table

import (
	"github.com/findspot/findspot/docsearch/pdf/internal/layout"
	"github.com/findspot/findspot/docsearch/pdf/internal/tabular"
)

// lattices reads the grids of rules.
func (f *finder) lattices() {
	for _, l := range components(f.hor, f.ver) {
		b := l.box()
		if f.isUsed(b) || b.Width() > .97*f.w && b.Height() > .95*f.h {
			continue
		}
		if g := l.grid(f.em); g != nil {
			f.lattice(&l, g)
		}
	}
}

func (f *finder) lattice(l *latticeRules, g *grid) {
	total := g.fill(f.rows)
	filled, most := 0, 0
	for i := range g.cells {
		if n := len(g.cells[i].words); n > 0 {
			filled++
			most = max(most, n)
		}
	}
	if filled < 2 || most > 60 && float64(most) > .6*float64(total) {
		return // a frame around text
	}
	if n := g.crossed(); n >= 2 && float64(n) > .1*float64(total) {
		return // lines drawn over text
	}
	b := g.box()
	if g.hidesColumns() {
		// Most rules are missing: alignment says more than the walls that are there.
		s := newSheet(f, b, fromLattice)
		s.forced = l.v
		if s.read() && f.accept(s) {
			return
		}
	}
	em := tabular.Em(tabular.Between(f.rows, b))
	g.split(em)
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
func gridTable(g *grid, words *layout.Vocabulary) Table {
	rows, cols := g.size()
	t := Table{box: g.box(), rows: rows, Cols: cols, ruled: true}
	for i := range g.cells {
		c := &g.cells[i]
		t.cells = append(t.cells, tcell{c.r, c.c, c.rs, c.cs, tabular.CellText(words, c.words)})
	}
	return t
}

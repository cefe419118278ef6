package grid

import (
	"math"
	"slices"
	"sort"

	"github.com/findspot/findspot/docsearch/pdf/internal/tabular"
)

// splitSpans cuts a cell over several rows when it holds a line for each of them: the walls were left out, not the rows.
func (g *Grid) splitSpans() {
	var bases []float64 // of single-row cells
	for i := range g.Cells {
		if c := &g.Cells[i]; c.Rows == 1 {
			for _, w := range c.Words {
				bases = append(bases, w.Base)
			}
		}
	}
	slices.Sort(bases)
	for i := 0; i < len(g.Cells); i++ {
		c := g.Cells[i]
		if c.Rows < 3 {
			continue
		}
		rs := tabular.Rows(c.Words)
		if len(rs) < 3 || len(rs) != c.Rows {
			continue
		}
		on, each := 0, true
		for k := range rs {
			y := rs[k].Base - .3*rs[k].Size
			if y < g.ys[c.Row+k]-1 || y > g.ys[c.Row+k+1]+1 {
				each = false
			}
			if hasNear(bases, rs[k].Base, .35*rs[k].Size) {
				on++
			}
		}
		if !each || float64(on) < .8*float64(len(rs)) {
			continue
		}
		for k := range rs {
			n := Cell{Row: c.Row + k, Col: c.Col, Rows: 1, Cols: c.Cols, Words: rs[k].Words}
			if k == 0 {
				g.Cells[i] = n
			} else {
				g.Cells = append(g.Cells, n)
			}
		}
	}
}

func hasNear(sorted []float64, x, tol float64) bool {
	i := sort.SearchFloat64s(sorted, x-tol)
	return i < len(sorted) && sorted[i] <= x+tol
}

// A bandCut says where the band of a row is to be cut.
type bandCut struct {
	row   int
	at    []float64
	whole []int // cells that stay whole
}

// splitBands cuts bands between two rules into rows of text: where figures stand on common lines, or where blank lines
// go across.
func (g *Grid) splitBands(em float64) {
	var cuts []bandCut
	numeric, short := 0, 0
	for r := range len(g.ys) - 1 {
		var cells []int
		for i := range g.Cells {
			if c := &g.Cells[i]; c.Row == r && c.Rows == 1 && len(c.Words) > 0 {
				cells = append(cells, i)
			}
		}
		if len(cells) < 2 {
			continue
		}
		lines := make([][]tabular.Row, len(cells))
		most := 0
		for k, i := range cells {
			lines[k] = tabular.Rows(g.Cells[i].Words)
			most = max(most, len(lines[k]))
		}
		if most < 2 {
			continue
		}
		if at := g.numberRows(r, cells, lines); len(at) > 0 {
			cut := bandCut{row: r, at: at}
			for k, i := range cells {
				if g.Cells[i].Col == 0 {
					cut.whole = append(cut.whole, i)
					if len(lines[k]) < len(at)+1 {
						short++
					}
				}
			}
			numeric++
			cuts = append(cuts, cut)
		} else if at := g.blankRows(cells, lines); len(at) > 0 {
			cuts = append(cuts, bandCut{row: r, at: at})
		}
	}
	labels := numeric >= 3 && short*2 >= numeric // the first column names whole bands
	for _, cut := range slices.Backward(cuts) {
		if !labels {
			cut.whole = nil
		}
		g.cutBand(cut)
	}
}

// numberRows returns where to cut a band so that each line of its columns of figures is a row.
func (g *Grid) numberRows(r int, cells []int, lines [][]tabular.Row) []float64 {
	multi, other, figures := 0, 0, 0
	var bases []tabular.Row
	total := 0
	for k, i := range cells {
		total += len(lines[k])
		if len(lines[k]) < 2 {
			continue
		}
		multi++
		if g.Cells[i].Col == 0 {
			continue
		}
		other++
		n := 0
		for j := range lines[k] {
			if tabular.Numeric(lines[k][j].Text()) {
				n++
			}
		}
		if float64(n) >= .7*float64(len(lines[k])) {
			figures++
			if len(lines[k]) > len(bases) {
				bases = lines[k]
			}
		}
	}
	if at := g.evenLines(cells, lines); at != nil {
		return at
	}
	if multi < 2 || figures < 1 || float64(figures) < .4*float64(other) || r == 0 && len(bases) <= 3 {
		return nil
	}
	on := 0
	for k := range lines {
		for j := range lines[k] {
			for b := range bases {
				if math.Abs(lines[k][j].Base-bases[b].Base) < .35*lines[k][j].Size {
					on++
					break
				}
			}
		}
	}
	if float64(on) < .6*float64(total) {
		return nil
	}
	var at []float64
	for b := 1; b < len(bases); b++ {
		at = append(at, bases[b].Base-.85*bases[b].Size)
	}
	return at
}

// evenLines returns where to cut a band whose cells, three or more, all have the same three or more lines: lists set side
// by side, which text broken by the width of columns does not make.
func (g *Grid) evenLines(cells []int, lines [][]tabular.Row) []float64 {
	if len(cells) < 3 || len(lines[0]) < 3 {
		return nil
	}
	for _, l := range lines {
		if len(l) != len(lines[0]) {
			return nil
		}
		for j := range l {
			if math.Abs(l[j].Base-lines[0][j].Base) > .2*l[j].Size {
				return nil
			}
		}
	}
	var at []float64
	for _, r := range lines[0][1:] {
		at = append(at, r.Base-.85*r.Size)
	}
	return at
}

// blankRows returns where blank lines cross a band, when each block between them names itself in the first column and
// most have more than that.
func (g *Grid) blankRows(cells []int, lines [][]tabular.Row) []float64 {
	type span struct {
		y0, y1 float64
		first  bool
		col    int
	}
	var all []span
	em := 0.0
	for k, i := range cells {
		for j := range lines[k] {
			l := &lines[k][j]
			em = math.Max(em, l.Size)
			all = append(all, span{l.Base - .75*l.Size, l.Base + .22*l.Size, g.Cells[i].Col == 0, g.Cells[i].Col})
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].y0 < all[j].y0 })
	var at []float64
	end, named, blocks, wide, col := all[0].y1, false, 0, 0, all[0].col
	several := false
	close := func() bool {
		blocks++
		if several {
			wide++
		}
		return named
	}
	for _, s := range all {
		if s.y0-end >= .45*em {
			if !close() {
				return nil
			}
			at = append(at, (s.y0+end)/2)
			named, several, col = false, false, s.col
		}
		end = math.Max(end, s.y1)
		named = named || s.first
		several = several || s.col != col
	}
	if !close() || wide*2 < blocks {
		return nil
	}
	return at
}

// cutBand cuts one row of the grid into several.
func (g *Grid) cutBand(cut bandCut) {
	extra := len(cut.at)
	if len(g.ys)+extra > maxGridRows {
		return
	}
	var added []Cell
	for i := range g.Cells {
		c := &g.Cells[i]
		switch {
		case c.Row > cut.row:
			c.Row += extra
		case c.Row+c.Rows <= cut.row:
		case c.Rows > 1 || slices.Contains(cut.whole, i):
			c.Rows += extra
		default:
			parts := make([][]tabular.Word, extra+1)
			for _, w := range c.Words {
				k := sort.SearchFloat64s(cut.at, w.Base-.3*w.Size)
				parts[k] = append(parts[k], w)
			}
			c.Words = parts[0]
			for k := 1; k <= extra; k++ {
				added = append(added, Cell{c.Row + k, c.Col, 1, c.Cols, parts[k]})
			}
		}
	}
	g.Cells = append(g.Cells, added...)
	g.ys = slices.Insert(g.ys, cut.row+1, cut.at...)
}

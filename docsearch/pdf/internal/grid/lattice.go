package grid

import (
	"math"
	"sort"

	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
	"github.com/findspot/findspot/docsearch/pdf/internal/tabular"
)

const (
	maxGridCols = 200
	maxGridRows = 1000
	wallShare   = .7 // a rule along this much of a unit's side is a wall
)

// A Grid is a lattice of walls: units between neighbouring xs and ys, joined to cells where no wall is between.
type Grid struct {
	xs, ys []float64
	Cells  []Cell
}

// A Cell is units that no wall divides, with the words in them.
type Cell struct {
	Row, Col, Rows, Cols int
	Words                []tabular.Word
}

// Size is the number of rows and columns.
func (g *Grid) Size() (rows, cols int) { return len(g.ys) - 1, len(g.xs) - 1 }

// Split cuts the cells where text shows rows and columns that were not drawn.
func (g *Grid) Split(em float64) {
	g.splitMerged()
	g.splitSpans()
	g.splitBands(em)
}

// Box is the area of the grid.
func (g *Grid) Box() geometry.Rect {
	return geometry.NewRect(g.xs[0], g.ys[0], g.xs[len(g.xs)-1], g.ys[len(g.ys)-1])
}

// A Lattice is a component of rules that cross or meet.
type Lattice struct{ horizontal, Vertical []content.Rule }

// Lattices groups rules that cross or meet, each group with at least two horizontal and one vertical rule.
func Lattices(h, vert []content.Rule) []Lattice {
	n := len(h)
	set := geometry.NewSets(n + len(vert))
	for j := range vert {
		// h is sorted by position.
		lo := sort.Search(n, func(i int) bool { return h[i].Pos >= vert[j].Lo-Tolerance })
		for i := lo; i < n && h[i].Pos <= vert[j].Hi+Tolerance; i++ {
			if vert[j].Pos >= h[i].Lo-Tolerance && vert[j].Pos <= h[i].Hi+Tolerance {
				set.Join(i, n+j)
			}
		}
	}
	at := map[int]int{}
	var out []Lattice
	for i := range set {
		root := set.Find(i)
		k, ok := at[root]
		if !ok {
			k = len(out)
			at[root] = k
			out = append(out, Lattice{})
		}
		if i < n {
			out[k].horizontal = append(out[k].horizontal, h[i])
		} else {
			out[k].Vertical = append(out[k].Vertical, vert[i-n])
		}
	}
	kept := out[:0]
	for _, l := range out {
		if len(l.horizontal) >= 2 && len(l.Vertical) >= 1 {
			kept = append(kept, l)
		}
	}
	sort.SliceStable(kept, func(i, j int) bool { return kept[i].area() > kept[j].area() })
	return kept
}

// Box is the area of the rules.
func (l *Lattice) Box() geometry.Rect {
	b := geometry.Empty()
	for _, r := range l.horizontal {
		b = b.Add(r.Lo, r.Pos).Add(r.Hi, r.Pos)
	}
	for _, r := range l.Vertical {
		b = b.Add(r.Pos, r.Lo).Add(r.Pos, r.Hi)
	}
	return b
}

func (l *Lattice) area() float64 { b := l.Box(); return b.Width() * b.Height() }

// positions returns the distinct places of rules between lo and hi, which are the outer ones: open sides count as closed.
func positions(rs []content.Rule, lo, hi float64) []float64 {
	ps := []float64{lo, hi}
	for _, r := range rs {
		ps = append(ps, r.Pos)
	}
	sort.Float64s(ps)
	var out []float64
	for _, p := range ps {
		if n := len(out); n == 0 || p-out[n-1] > Tolerance {
			out = append(out, p)
		}
	}
	return out
}

// Covers reports whether rules at a place cover that share of lo to hi.
func Covers(rs []content.Rule, pos, lo, hi, share float64) bool {
	sum := 0.0
	i := sort.Search(len(rs), func(i int) bool { return rs[i].Pos >= pos-Tolerance })
	for ; i < len(rs) && rs[i].Pos <= pos+Tolerance; i++ {
		sum += math.Max(0, math.Min(hi, rs[i].Hi)-math.Max(lo, rs[i].Lo))
	}
	return sum >= share*(hi-lo)
}

// Grid joins the units of a lattice to cells. Nil when it is no grid.
func (l *Lattice) Grid(em float64) *Grid {
	b := l.Box()
	g := &Grid{xs: positions(l.Vertical, b.X0, b.X1), ys: positions(l.horizontal, b.Y0, b.Y1)}
	nc, nr := len(g.xs)-1, len(g.ys)-1
	if nc < 2 || nr < 1 || nc > maxGridCols || nr > maxGridRows || nc*nr > 50_000 || b.Width() < 4*em {
		return nil
	}
	right, below := make([]bool, nr*nc), make([]bool, nr*nc) // walls
	for r := range nr {
		for c := range nc {
			k := r*nc + c
			right[k] = c+1 == nc || Covers(l.Vertical, g.xs[c+1], g.ys[r], g.ys[r+1], wallShare)
			below[k] = r+1 == nr || Covers(l.horizontal, g.ys[r+1], g.xs[c], g.xs[c+1], wallShare)
		}
	}
	seen := make([]bool, nr*nc)
	var flood []int
	for k := range seen {
		if seen[k] {
			continue
		}
		flood = append(flood[:0], k)
		seen[k] = true
		r0, r1, c0, c1 := k/nc, k/nc, k%nc, k%nc
		for i := 0; i < len(flood); i++ {
			u := flood[i]
			r, c := u/nc, u%nc
			r0, r1, c0, c1 = min(r0, r), max(r1, r), min(c0, c), max(c1, c)
			visit := func(n int) {
				if !seen[n] {
					seen[n] = true
					flood = append(flood, n)
				}
			}
			if !right[u] {
				visit(u + 1)
			}
			if c > 0 && !right[u-1] {
				visit(u - 1)
			}
			if !below[u] {
				visit(u + nc)
			}
			if r > 0 && !below[u-nc] {
				visit(u - nc)
			}
		}
		if len(flood) == (r1-r0+1)*(c1-c0+1) {
			g.Cells = append(g.Cells, Cell{Row: r0, Col: c0, Rows: r1 - r0 + 1, Cols: c1 - c0 + 1})
			continue
		}
		// Not a rectangle: a wall ends inside. Each of its rows is cells.
		sort.Ints(flood)
		for i := 0; i < len(flood); {
			j := i + 1
			for j < len(flood) && flood[j] == flood[j-1]+1 && flood[j]/nc == flood[i]/nc && !right[flood[j-1]] {
				j++
			}
			g.Cells = append(g.Cells, Cell{Row: flood[i] / nc, Col: flood[i] % nc, Rows: 1, Cols: j - i})
			i = j
		}
	}
	return g
}

// Fill puts the words of the area into the cells.
func (g *Grid) Fill(rs []tabular.Row) (words int) {
	nc, nr := len(g.xs)-1, len(g.ys)-1
	owner := make([]int, nc*nr)
	for i, c := range g.Cells {
		for r := c.Row; r < c.Row+c.Rows; r++ {
			for k := c.Col; k < c.Col+c.Cols; k++ {
				owner[r*nc+k] = i
			}
		}
	}
	b := g.Box()
	for _, x := range tabular.Between(rs, geometry.NewRect(b.X0-1, b.Y0-1, b.X1+1, b.Y1+1)) {
		for _, w := range x.Words {
			r := min(max(sort.SearchFloat64s(g.ys, w.Base-.3*w.Size)-1, 0), nr-1)
			c := min(max(sort.SearchFloat64s(g.xs, w.Box.MidX())-1, 0), nc-1)
			k := owner[r*nc+c]
			g.Cells[k].Words = append(g.Cells[k].Words, w)
			words++
		}
	}
	return words
}

// Crossed counts the words that reach well over a side wall of their cell: those of tables keep to theirs.
func (g *Grid) Crossed() int {
	n := 0
	for i := range g.Cells {
		c := &g.Cells[i]
		for _, w := range c.Words {
			if tol := .6 * w.Size; w.Box.X0 < g.xs[c.Col]-tol || w.Box.X1 > g.xs[c.Col+c.Cols]+tol {
				n++
			}
		}
	}
	return n
}

// HidesColumns reports whether a column of the grid holds columns of its own: at least three lines, most of them with
// numbers set apart on the right.
func (g *Grid) HidesColumns() bool {
	type span struct{ c, cs int }
	lines, split := map[span]int{}, map[span]int{}
	for i := range g.Cells {
		c := &g.Cells[i]
		if len(c.Words) < 2 {
			continue
		}
		k := span{c.Col, c.Cols}
		for _, r := range tabular.Rows(c.Words) {
			lines[k]++
			ps := r.Pieces(.9)
			num := 0
			for _, p := range ps[1:] {
				if tabular.Numeric(p.Text()) {
					num++
				}
			}
			if len(ps) >= 2 && float64(num) >= .6*float64(len(ps)-1) {
				split[k]++
			}
		}
	}
	for k, n := range lines {
		if n >= 3 && float64(split[k]) >= .6*float64(n) {
			return true
		}
	}
	return false
}

// splitMerged cuts cells over several columns where their text stands in the columns: no word crosses the place, and
// lines leave a gap there.
func (g *Grid) splitMerged() {
	for i := 0; i < len(g.Cells); i++ {
		c := g.Cells[i]
		if c.Cols < 2 || len(c.Words) < 2 {
			continue
		}
		rs := tabular.Rows(c.Words)
		for k := 1; k < c.Cols; k++ {
			x := g.xs[c.Col+k]
			if !gapAt(rs, x) {
				continue
			}
			left, right := c, c
			left.Cols, left.Words = k, nil
			right.Col, right.Cols, right.Words = c.Col+k, c.Cols-k, nil
			for _, w := range c.Words {
				if w.Box.MidX() < x {
					left.Words = append(left.Words, w)
				} else {
					right.Words = append(right.Words, w)
				}
			}
			g.Cells[i] = left
			g.Cells = append(g.Cells, right) // looked at in its turn
			break
		}
	}
}

// gapAt reports whether rows have text on both sides of a place that no word crosses, apart from each other.
func gapAt(rs []tabular.Row, x float64) bool {
	both, left, right := 0, 0, 0
	for i := range rs {
		l, r := math.Inf(-1), math.Inf(1)
		for _, w := range rs[i].Words {
			if w.Box.X0 < x-1 && w.Box.X1 > x+1 {
				return false
			}
			if w.Box.MidX() < x {
				l = math.Max(l, w.Box.X1)
			} else {
				r = math.Min(r, w.Box.X0)
			}
		}
		if !math.IsInf(l, 0) {
			left++
		}
		if !math.IsInf(r, 0) {
			right++
		}
		if !math.IsInf(l, 0) && !math.IsInf(r, 0) {
			both++
			if r-l < .6*rs[i].Size {
				return false
			}
		}
	}
	n := len(rs)
	if n > 3 {
		return float64(left) >= .6*float64(n) && float64(right) >= .6*float64(n)
	}
	return left > 0 && right > 0
}

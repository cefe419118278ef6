package table

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

// A grid is a lattice of walls: units between neighbouring xs and ys, joined to cells where no wall is between.
type grid struct {
	xs, ys []float64
	cells  []gcell
}

type gcell struct {
	r, c, rs, cs int
	words        []tabular.Word
}

// size is the number of rows and columns.
func (g *grid) size() (rows, cols int) { return len(g.ys) - 1, len(g.xs) - 1 }

// split cuts the cells where text shows rows and columns that were not drawn.
func (g *grid) split(em float64) {
	g.splitMerged()
	g.splitSpans()
	g.splitBands(em)
}

func (g *grid) box() geometry.Rect {
	return geometry.NewRect(g.xs[0], g.ys[0], g.xs[len(g.xs)-1], g.ys[len(g.ys)-1])
}

// A lattice is a component of rules that cross or meet.
type latticeRules struct{ h, v []content.Rule }

// components groups rules that cross or meet, each group with at least two horizontal and one vertical rule.
func components(h, vert []content.Rule) []latticeRules {
	n := len(h)
	parent := make([]int, n+len(vert))
	for i := range parent {
		parent[i] = i
	}
	find := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for j := range vert {
		// h is sorted by position.
		lo := sort.Search(n, func(i int) bool { return h[i].Pos >= vert[j].Lo-ruleTol })
		for i := lo; i < n && h[i].Pos <= vert[j].Hi+ruleTol; i++ {
			if vert[j].Pos >= h[i].Lo-ruleTol && vert[j].Pos <= h[i].Hi+ruleTol {
				parent[find(i)] = find(n + j)
			}
		}
	}
	at := map[int]int{}
	var out []latticeRules
	for i := range parent {
		root := find(i)
		k, ok := at[root]
		if !ok {
			k = len(out)
			at[root] = k
			out = append(out, latticeRules{})
		}
		if i < n {
			out[k].h = append(out[k].h, h[i])
		} else {
			out[k].v = append(out[k].v, vert[i-n])
		}
	}
	kept := out[:0]
	for _, l := range out {
		if len(l.h) >= 2 && len(l.v) >= 1 {
			kept = append(kept, l)
		}
	}
	sort.SliceStable(kept, func(i, j int) bool { return kept[i].area() > kept[j].area() })
	return kept
}

func (l *latticeRules) box() geometry.Rect {
	b := geometry.Empty()
	for _, r := range l.h {
		b = b.Add(r.Lo, r.Pos).Add(r.Hi, r.Pos)
	}
	for _, r := range l.v {
		b = b.Add(r.Pos, r.Lo).Add(r.Pos, r.Hi)
	}
	return b
}

func (l *latticeRules) area() float64 { b := l.box(); return b.Width() * b.Height() }

// positions returns the distinct places of rules between lo and hi, which are the outer ones: open sides count as closed.
func positions(rs []content.Rule, lo, hi float64) []float64 {
	ps := []float64{lo, hi}
	for _, r := range rs {
		ps = append(ps, r.Pos)
	}
	sort.Float64s(ps)
	var out []float64
	for _, p := range ps {
		if n := len(out); n == 0 || p-out[n-1] > ruleTol {
			out = append(out, p)
		}
	}
	return out
}

// covered reports whether rules at a place cover that share of lo to hi.
func covered(rs []content.Rule, pos, lo, hi, share float64) bool {
	sum := 0.0
	i := sort.Search(len(rs), func(i int) bool { return rs[i].Pos >= pos-ruleTol })
	for ; i < len(rs) && rs[i].Pos <= pos+ruleTol; i++ {
		sum += math.Max(0, math.Min(hi, rs[i].Hi)-math.Max(lo, rs[i].Lo))
	}
	return sum >= share*(hi-lo)
}

// grid joins the units of a lattice to cells. Nil when it is no grid.
func (l *latticeRules) grid(em float64) *grid {
	b := l.box()
	g := &grid{xs: positions(l.v, b.X0, b.X1), ys: positions(l.h, b.Y0, b.Y1)}
	nc, nr := len(g.xs)-1, len(g.ys)-1
	if nc < 2 || nr < 1 || nc > maxGridCols || nr > maxGridRows || nc*nr > 50_000 || b.Width() < 4*em {
		return nil
	}
	right, below := make([]bool, nr*nc), make([]bool, nr*nc) // walls
	for r := range nr {
		for c := range nc {
			k := r*nc + c
			right[k] = c+1 == nc || covered(l.v, g.xs[c+1], g.ys[r], g.ys[r+1], wallShare)
			below[k] = r+1 == nr || covered(l.h, g.ys[r+1], g.xs[c], g.xs[c+1], wallShare)
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
			g.cells = append(g.cells, gcell{r: r0, c: c0, rs: r1 - r0 + 1, cs: c1 - c0 + 1})
			continue
		}
		// Not a rectangle: a wall ends inside. Each of its rows is cells.
		sort.Ints(flood)
		for i := 0; i < len(flood); {
			j := i + 1
			for j < len(flood) && flood[j] == flood[j-1]+1 && flood[j]/nc == flood[i]/nc && !right[flood[j-1]] {
				j++
			}
			g.cells = append(g.cells, gcell{r: flood[i] / nc, c: flood[i] % nc, rs: 1, cs: j - i})
			i = j
		}
	}
	return g
}

// fill puts the words of the area into the cells.
func (g *grid) fill(rs []tabular.Row) (words int) {
	nc, nr := len(g.xs)-1, len(g.ys)-1
	owner := make([]int, nc*nr)
	for i, c := range g.cells {
		for r := c.r; r < c.r+c.rs; r++ {
			for k := c.c; k < c.c+c.cs; k++ {
				owner[r*nc+k] = i
			}
		}
	}
	b := g.box()
	for _, x := range tabular.Between(rs, geometry.NewRect(b.X0-1, b.Y0-1, b.X1+1, b.Y1+1)) {
		for _, w := range x.Words {
			r := min(max(sort.SearchFloat64s(g.ys, w.Base-.3*w.Size)-1, 0), nr-1)
			c := min(max(sort.SearchFloat64s(g.xs, w.Box.MidX())-1, 0), nc-1)
			k := owner[r*nc+c]
			g.cells[k].words = append(g.cells[k].words, w)
			words++
		}
	}
	return words
}

// crossed counts the words that reach well over a side wall of their cell: those of tables keep to theirs.
func (g *grid) crossed() int {
	n := 0
	for i := range g.cells {
		c := &g.cells[i]
		for _, w := range c.words {
			if tol := .6 * w.Size; w.Box.X0 < g.xs[c.c]-tol || w.Box.X1 > g.xs[c.c+c.cs]+tol {
				n++
			}
		}
	}
	return n
}

// hidesColumns reports whether a column of the grid holds columns of its own: at least three lines, most of them with
// numbers set apart on the right.
func (g *grid) hidesColumns() bool {
	type span struct{ c, cs int }
	lines, split := map[span]int{}, map[span]int{}
	for i := range g.cells {
		c := &g.cells[i]
		if len(c.words) < 2 {
			continue
		}
		k := span{c.c, c.cs}
		for _, r := range tabular.Rows(c.words) {
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
func (g *grid) splitMerged() {
	for i := 0; i < len(g.cells); i++ {
		c := g.cells[i]
		if c.cs < 2 || len(c.words) < 2 {
			continue
		}
		rs := tabular.Rows(c.words)
		for k := 1; k < c.cs; k++ {
			x := g.xs[c.c+k]
			if !gapAt(rs, x) {
				continue
			}
			left, right := c, c
			left.cs, left.words = k, nil
			right.c, right.cs, right.words = c.c+k, c.cs-k, nil
			for _, w := range c.words {
				if w.Box.MidX() < x {
					left.words = append(left.words, w)
				} else {
					right.words = append(right.words, w)
				}
			}
			g.cells[i] = left
			g.cells = append(g.cells, right) // looked at in its turn
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

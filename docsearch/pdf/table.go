package pdf

import (
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/findspot/findspot/docsearch"
)

// A table is a grid of cells in an area.
type table struct {
	box     rect
	cells   []tcell
	rows    int
	cols    int
	caption string
	ruled   bool
}

type tcell struct {
	r, c, rs, cs int
	text         string
}

const maxTableRules = 6000

// tables finds the tables of the page: grids of rules first, then columns between chains of horizontal rules, then
// aligned columns without rules.
func (v *view) tables() []docsearch.Table {
	h, vert := v.gridRules()
	if len(h)+len(vert) <= maxTableRules {
		v.lattices(h, vert)
		v.chains(h)
	}
	v.streams()
	sort.SliceStable(v.found, func(i, j int) bool {
		if v.found[i].box.y0 != v.found[j].box.y0 {
			return v.found[i].box.y0 < v.found[j].box.y0
		}
		return v.found[i].box.x0 < v.found[j].box.x0
	})
	out := []docsearch.Table{}
	for i := range v.found {
		out = append(out, v.found[i].export())
	}
	return out
}

func (t *table) export() docsearch.Table {
	d := docsearch.Table{BBox: toBox(t.box), Caption: t.caption, Rows: make([][]string, t.rows), Cells: []docsearch.Cell{}}
	for r := range d.Rows {
		d.Rows[r] = make([]string, t.cols)
	}
	sort.SliceStable(t.cells, func(i, j int) bool {
		return t.cells[i].r < t.cells[j].r || t.cells[i].r == t.cells[j].r && t.cells[i].c < t.cells[j].c
	})
	for _, c := range t.cells {
		d.Rows[c.r][c.c] = c.text
		d.Cells = append(d.Cells, docsearch.Cell{Row: c.r, Col: c.c, RowSpan: max(c.rs, 1), ColSpan: max(c.cs, 1), Text: c.text})
	}
	return d
}

// add keeps a table and marks its area as spent.
func (v *view) add(t table) {
	t.trim()
	if t.rows < 1 || t.cols < 2 {
		return
	}
	if c := v.captionFor(t.box, false); c != nil {
		t.caption = c.text
		c.used = true
	}
	v.found = append(v.found, t)
	v.used = append(v.used, t.box)
}

// trim drops empty rows and columns.
func (t *table) trim() {
	rowUsed, colUsed := make([]bool, t.rows), make([]bool, t.cols)
	for _, c := range t.cells {
		if strings.TrimSpace(c.text) != "" {
			rowUsed[c.r], colUsed[c.c] = true, true
		}
	}
	index := func(used []bool) (m []int, n int) {
		m = make([]int, len(used)+1)
		for i, u := range used {
			m[i] = n
			if u {
				n++
			}
		}
		m[len(used)] = n
		return m, n
	}
	rm, nr := index(rowUsed)
	cm, nc := index(colUsed)
	var out []tcell
	for _, c := range t.cells {
		r0, r1 := rm[c.r], rm[min(c.r+max(c.rs, 1), t.rows)]
		c0, c1 := cm[c.c], cm[min(c.c+max(c.cs, 1), t.cols)]
		if r1 <= r0 || c1 <= c0 {
			continue
		}
		out = append(out, tcell{r0, c0, r1 - r0, c1 - c0, c.text})
	}
	t.cells, t.rows, t.cols = out, nr, nc
}

// captionFor finds the caption within 6 em above or 4.5 em below a table, 100 points of a figure.
func (v *view) captionFor(b rect, figure bool) *caption {
	above, below := 6*v.em, 4.5*v.em
	if figure {
		above, below = 100, 100
	}
	var best *caption
	dist := math.Inf(1)
	for i := range v.captions {
		c := &v.captions[i]
		if c.figure != figure || c.used || c.box.x1 < b.x0 || c.box.x0 > b.x1 {
			continue
		}
		d := math.Inf(1)
		switch {
		case c.box.y1 <= b.y0+v.em && b.y0-c.box.y1 <= above:
			d = math.Abs(b.y0 - c.box.y1)
			if figure {
				d += 5 // figures have theirs beneath
			}
		case c.box.y0 >= b.y1-v.em && c.box.y0-b.y1 <= below:
			d = math.Abs(c.box.y0 - b.y1)
		case c.box.overlaps(b):
			d = 0
		}
		if d < dist {
			best, dist = c, d
		}
	}
	return best
}

// gridRules snaps and joins the rules of the page.
func (v *view) gridRules() (h, vert []rule) {
	for _, r := range v.c.rules {
		if r.hi-r.lo < 4 {
			continue
		}
		if r.vertical {
			r.lo, r.hi = math.Max(r.lo, 0), math.Min(r.hi, v.c.h)
			if r.pos > 0 && r.pos < v.c.w && r.hi > r.lo {
				vert = append(vert, r)
			}
		} else {
			r.lo, r.hi = math.Max(r.lo, 0), math.Min(r.hi, v.c.w)
			if r.pos > 0 && r.pos < v.c.h && r.hi > r.lo {
				h = append(h, r)
			}
		}
	}
	return joinRules(h), joinRules(vert)
}

func joinRules(rs []rule) []rule {
	if len(rs) > maxTableRules*4 {
		return nil
	}
	sort.Slice(rs, func(i, j int) bool { return rs[i].pos < rs[j].pos })
	for i := 1; i < len(rs); i++ { // snap
		if rs[i].pos-rs[i-1].pos < 1.5 {
			rs[i].pos = rs[i-1].pos
		}
	}
	sort.SliceStable(rs, func(i, j int) bool {
		return rs[i].pos < rs[j].pos || rs[i].pos == rs[j].pos && rs[i].lo < rs[j].lo
	})
	var out []rule
	for _, r := range rs {
		if n := len(out); n > 0 && out[n-1].pos == r.pos && r.lo <= out[n-1].hi+3 {
			out[n-1].hi = math.Max(out[n-1].hi, r.hi)
			continue
		}
		out = append(out, r)
	}
	return out
}

const ruleTol = 3

// lattices finds components of crossing rules and reads each as a grid.
func (v *view) lattices(h, vert []rule) {
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
	for i := range h {
		for j := range vert {
			if vert[j].pos >= h[i].lo-ruleTol && vert[j].pos <= h[i].hi+ruleTol && h[i].pos >= vert[j].lo-ruleTol && h[i].pos <= vert[j].hi+ruleTol {
				parent[find(i)] = find(n + j)
			}
		}
	}
	groups := map[int][]int{}
	var order []int
	for i := range parent {
		r := find(i)
		if groups[r] == nil {
			order = append(order, r)
		}
		groups[r] = append(groups[r], i)
	}
	for _, k := range order {
		var hs, vs []rule
		for _, i := range groups[k] {
			if i < n {
				hs = append(hs, h[i])
			} else {
				vs = append(vs, vert[i-n])
			}
		}
		if len(hs) >= 2 && len(vs) >= 1 {
			v.lattice(hs, vs)
		}
	}
}

// positions returns the distinct positions of rules, with lo and hi as the outer ones.
func positions(rs []rule, lo, hi float64) []float64 {
	ps := []float64{lo, hi}
	for _, r := range rs {
		ps = append(ps, r.pos)
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

// covered reports whether a rule at pos covers 70 % of lo to hi.
func covered(rs []rule, pos, lo, hi float64) bool {
	sum := 0.0
	for _, r := range rs {
		if math.Abs(r.pos-pos) <= ruleTol {
			sum += math.Max(0, math.Min(hi, r.hi)-math.Max(lo, r.lo))
		}
	}
	return sum >= .7*(hi-lo)
}

func (v *view) lattice(hs, vs []rule) {
	b := emptyRect
	for _, r := range hs {
		b = b.add(r.lo, r.pos).add(r.hi, r.pos)
	}
	for _, r := range vs {
		b = b.add(r.pos, r.lo).add(r.pos, r.hi)
	}
	xs, ys := positions(vs, b.x0, b.x1), positions(hs, b.y0, b.y1)
	nc, nr := len(xs)-1, len(ys)-1
	if nc < 1 || nr < 1 || nc > 200 || nr > 1000 || b.w() < 4*v.em || b.w() > .99*v.c.w && b.h() > .95*v.c.h {
		return
	}
	words := inArea(v.words, rect{b.x0 - 1, b.y0 - 1, b.x1 + 1, b.y1 + 1})
	if len(words) < 2 {
		return
	}
	if nc < 2 {
		return // a frame or a list between rules; chains look at it
	}
	// Merge units without a wall between them into rectangles.
	owner := make([]int, nr*nc)
	for i := range owner {
		owner[i] = -1
	}
	var cells []tcell
	for r := range nr {
		for c := range nc {
			if owner[r*nc+c] >= 0 {
				continue
			}
			cs, rs := 1, 1
			for c+cs < nc && owner[r*nc+c+cs] < 0 && !covered(vs, xs[c+cs], ys[r], ys[r+1]) {
				cs++
			}
			for r+rs < nr {
				open := true
				for k := range cs {
					if owner[(r+rs)*nc+c+k] >= 0 || covered(hs, ys[r+rs], xs[c+k], xs[c+k+1]) ||
						k > 0 && covered(vs, xs[c+k], ys[r+rs], ys[r+rs+1]) {
						open = false
						break
					}
				}
				if !open {
					break
				}
				rs++
			}
			for i := range rs {
				for k := range cs {
					owner[(r+i)*nc+c+k] = len(cells)
				}
			}
			cells = append(cells, tcell{r: r, c: c, rs: rs, cs: cs})
		}
	}
	inCell := make([][]word, len(cells))
	for _, w := range words {
		c := sort.SearchFloat64s(xs, w.box.midX()) - 1
		r := sort.SearchFloat64s(ys, w.base-.3*w.size) - 1
		c, r = min(max(c, 0), nc-1), min(max(r, 0), nr-1)
		inCell[owner[r*nc+c]] = append(inCell[owner[r*nc+c]], w)
	}
	filled, most := 0, 0
	for i := range cells {
		if len(inCell[i]) > 0 {
			filled++
		}
		most = max(most, len(inCell[i]))
	}
	if filled < 2 || most > 60 && float64(most) > .6*float64(len(words)) {
		return
	}
	caption := v.captionFor(b, false) != nil
	diag := v.oblique(b)
	density := float64(filled) / float64(len(cells))
	if diag >= 12+len(cells)/2 && !caption || diag >= 3 && len(cells) <= 16 && !caption {
		return
	}
	if nr > 3 && density < .33 && !caption {
		return
	}
	if len(cells) <= 6 && filled < len(cells) && !caption {
		return
	}
	if v.figureNear(b) && !caption {
		return
	}
	if hidesColumns(cells, inCell) {
		var inner []float64
		for _, y := range ys[1 : len(ys)-1] {
			if covered(hs, y, b.x0, b.x1) {
				inner = append(inner, y)
			}
		}
		if v.aligned(b, inner, true) {
			return
		}
	}
	t := table{box: b, rows: nr, cols: nc, ruled: true}
	for i := range cells {
		cells[i].text = cellText(inCell[i])
	}
	t.cells = cells
	t.splitBands(inCell, ys)
	v.add(t)
}

// hidesColumns reports whether a column of the grid (or a cell over several) holds columns of its own: at least three
// lines, most of them with a number set apart on the right.
func hidesColumns(cells []tcell, inCell [][]word) bool {
	type span struct{ c, cs int }
	lines, split := map[span]int{}, map[span]int{}
	for i, c := range cells {
		k := span{c.c, c.cs}
		for _, r := range rows(inCell[i]) {
			lines[k]++
			ps := r.pieces(.9)
			num := 0
			for _, p := range ps[1:] {
				if numeric(p.text) {
					num++
				}
			}
			if len(ps) >= 2 && float64(num) >= .6*float64(len(ps)-1) {
				split[k]++
			}
		}
	}
	for k, n := range lines {
		if n >= 3 && split[k] >= 3 && float64(split[k]) >= .6*float64(n) {
			return true
		}
	}
	return false
}

// splitBands cuts ruled bands that hold several text rows: at least two cells with the same number of lines on common
// baselines, mostly numbers outside the first column.
func (t *table) splitBands(inCell [][]word, ys []float64) {
	type cut struct {
		row   int
		bases []float64
	}
	var cuts []cut
	for r := range t.rows {
		multi, num, other := 0, 0, 0
		var bases []float64
		aligned, total := 0, 0
		clean := true
		for i, c := range t.cells {
			if c.r > r || c.r+c.rs <= r {
				continue
			}
			if c.rs != 1 {
				if len(inCell[i]) > 0 {
					clean = false
				}
				continue
			}
			rw := rows(inCell[i])
			if len(rw) >= 2 {
				multi++
				if c.c > 0 {
					other++
					n := 0
					for _, x := range rw {
						if numeric(rowText(x)) {
							n++
						}
					}
					if float64(n) >= .7*float64(len(rw)) {
						num++
					}
				}
			}
			if len(rw) > len(bases) && c.c > 0 {
				bases = bases[:0]
				for _, x := range rw {
					bases = append(bases, x.base)
				}
			}
		}
		if !clean || multi < 2 || num < 1 || float64(num) < .4*float64(other) || len(bases) < 2 {
			continue
		}
		for i, c := range t.cells {
			if c.r == r && c.rs == 1 {
				for _, x := range rows(inCell[i]) {
					total++
					for _, y := range bases {
						if math.Abs(x.base-y) < .35*x.size {
							aligned++
							break
						}
					}
				}
			}
		}
		if float64(aligned) >= .6*float64(total) {
			cuts = append(cuts, cut{r, slices.Clone(bases)})
		}
	}
	for _, cu := range slices.Backward(cuts) {
		extra := len(cu.bases) - 1
		var out []tcell
		var outWords [][]word
		for i, c := range t.cells {
			switch {
			case c.r > cu.row:
				c.r += extra
				out, outWords = append(out, c), append(outWords, inCell[i])
			case c.r == cu.row && c.rs == 1:
				parts := make([][]word, len(cu.bases))
				for _, w := range inCell[i] {
					best := 0
					for b := range cu.bases {
						if math.Abs(cu.bases[b]-w.base) < math.Abs(cu.bases[best]-w.base) {
							best = b
						}
					}
					parts[best] = append(parts[best], w)
				}
				for b, ws := range parts {
					out = append(out, tcell{c.r + b, c.c, 1, c.cs, cellText(ws)})
					outWords = append(outWords, ws)
				}
			default:
				if c.r+c.rs > cu.row {
					c.rs += extra
				}
				out, outWords = append(out, c), append(outWords, inCell[i])
			}
		}
		t.cells, inCell = out, outWords
		t.rows += extra
	}
}

func rowText(r row) string {
	var b strings.Builder
	for i := range r.words {
		if i > 0 && r.words[i].box.x0-r.words[i-1].box.x1 > .1*r.size {
			b.WriteByte(' ')
		}
		b.WriteString(r.words[i].text)
	}
	return b.String()
}

// cellText is the text of a cell, its lines joined.
func cellText(ws []word) string {
	t := ""
	for _, r := range rows(ws) {
		t = joinLines(t, rowText(r))
	}
	return t
}

// oblique counts the curves and oblique strokes in an area.
func (v *view) oblique(b rect) int {
	n := 0
	for _, d := range v.c.diag {
		if b.has(d.midX(), d.midY()) {
			n++
		}
	}
	return n
}

// figureNear reports whether a figure's caption lies right beneath an area.
func (v *view) figureNear(b rect) bool {
	for i := range v.captions {
		c := &v.captions[i]
		if c.figure && c.box.x0 < b.x1 && c.box.x1 > b.x0 && c.box.y0 >= b.y1-v.em && c.box.y0-b.y1 < 5*v.em {
			return true
		}
	}
	return false
}

package table

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
	"github.com/findspot/findspot/docsearch/pdf/internal/tabular"
)

// A gutter is the space between two columns of a table.
type gutter struct {
	lo, hi float64
	sure   bool // no word of the body reaches into it, however narrow it is
}

const gutterStep = .5 // points of the projection

// columns finds the gutters of a sheet: places that nearly no row of the body crosses, wide and regular enough to divide
// columns and not words.
func (s *sheet) columns() []gutter {
	body := s.bodyRows()
	if len(body) < 2 && s.kind == fromStream || len(body) == 0 {
		return nil
	}
	x0, x1 := math.Inf(1), math.Inf(-1)
	for _, r := range body {
		x0, x1 = math.Min(x0, r.X0()), math.Max(x1, r.X1())
	}
	n := int((x1-x0)/gutterStep) + 1
	if n > 10_000 || n < 4 {
		return nil
	}
	cover := make([]int, n+1)
	for _, r := range body {
		for _, p := range r.Pieces(.45) {
			lo, hi := int((p.X0()-x0)/gutterStep), int((p.X1()-x0)/gutterStep)
			for k := max(lo, 0); k <= hi && k < n; k++ {
				cover[k]++
			}
		}
	}
	limit := int(.04 * float64(len(body)))
	var gs []gutter
	for k := 0; k < n; {
		if cover[k] > limit {
			k++
			continue
		}
		j := k
		for j < n && cover[j] <= limit {
			j++
		}
		if k > 0 && j < n {
			gs = append(gs, gutter{lo: x0 + float64(k)*gutterStep, hi: x0 + float64(j)*gutterStep})
		}
		k = j
	}
	gs = s.addForced(gs, body)
	if len(gs) > 0 && len(gs) < 200 {
		gs = s.dividing(gs, body)
	}
	return s.addNamed(gs)
}

// addNamed adds the gutters that a head above a rule shows where figures stand close: between its pieces a space that no
// word beneath crosses, too narrow to be a gutter by itself.
func (s *sheet) addNamed(gs []gutter) []gutter {
	if s.kind == fromStream {
		return gs
	}
	head := 0
	for i := 1; i < len(s.rows) && i <= maxHeadRows; i++ {
		if s.ruledAcross(s.rows[i-1].Base-.3*s.em, s.rows[i].Base-.3*s.em) {
			head = i
			break
		}
	}
	if head == 0 || len(s.rows)-head < 2 {
		return gs
	}
	ps := s.rows[head-1].Pieces(.9)
	if len(ps) <= len(gs)+1 {
		return gs
	}
	var added []gutter
	for i := 1; i < len(ps); i++ {
		lo, hi := ps[i-1].X1(), ps[i].X0()
		if slices.ContainsFunc(gs, func(g gutter) bool { return g.lo < hi && g.hi > lo }) {
			continue
		}
		if g, ok := s.freeOfWords(lo-.5*s.em, hi+.5*s.em, s.rows[head:]); ok {
			added = append(added, g)
		}
	}
	if len(gs)+len(added) < len(ps)-1 {
		return gs // the head says something else
	}
	gs = append(gs, added...)
	slices.SortFunc(gs, func(a, b gutter) int { return cmp.Compare(a.lo, b.lo) })
	return gs
}

// freeOfWords finds the widest space between two places that no word of the rows reaches into.
func (s *sheet) freeOfWords(lo, hi float64, rs []tabular.Row) (gutter, bool) {
	var taken []gutter
	for i := range rs {
		for k := range rs[i].Words {
			if b := &rs[i].Words[k].Box; b.X1 > lo && b.X0 < hi {
				taken = append(taken, gutter{lo: b.X0, hi: b.X1})
			}
		}
	}
	slices.SortFunc(taken, func(a, b gutter) int { return cmp.Compare(a.lo, b.lo) })
	best, end := gutter{}, lo
	for _, t := range append(taken, gutter{lo: hi, hi: hi}) {
		if t.lo-end > best.hi-best.lo {
			best = gutter{end, t.lo, true}
		}
		end = max(end, t.hi)
	}
	return best, best.hi-best.lo >= .15*s.em
}

// bodyRows are the rows with several pieces; when enough of them hold figures, only those: they show the columns best.
func (s *sheet) bodyRows() []*tabular.Row {
	var body, figures []*tabular.Row
	first := s.ruledHead()
	for i := first; i < len(s.rows); i++ {
		r := &s.rows[i]
		ps := r.Pieces(.9)
		if len(ps) < 2 {
			continue
		}
		body = append(body, r)
		n := 0
		for _, p := range ps[1:] {
			if t := p.Text(); tabular.Numeric(t) && !tabular.Year(t) {
				n++
			}
		}
		if n*3 >= len(ps)-1 {
			figures = append(figures, r)
		}
	}
	if len(figures) >= 2 && float64(len(figures)) >= .3*float64(len(body)) {
		return figures
	}
	return body
}

// ruledHead is the number of rows above the first rule across, when rows enough are left beneath it. Heads over several
// columns would hide the gutters.
func (s *sheet) ruledHead() int {
	for i := 1; i < len(s.rows)-3 && i <= maxHeadRows && i*2 <= len(s.rows); i++ {
		if s.ruledAcross(s.rows[i-1].Base-.3*s.em, s.rows[i].Base-.3*s.em) {
			return i
		}
	}
	return 0
}

// addForced makes a gutter of each vertical rule that lies in none and that words leave free.
func (s *sheet) addForced(gs []gutter, body []*tabular.Row) []gutter {
	for _, v := range s.forced {
		if !s.divides(v) || slices.ContainsFunc(gs, func(g gutter) bool { return v.Pos > g.lo-1 && v.Pos < g.hi+1 }) {
			continue
		}
		cross, left, right := 0, 0, 0
		for _, r := range body {
			for i := range r.Words {
				switch b := &r.Words[i].Box; {
				case b.X0 < v.Pos-1 && b.X1 > v.Pos+1:
					cross++
				case b.X1 <= v.Pos+1:
					left++
				default:
					right++
				}
			}
		}
		if cross > len(body)/20 || left == 0 || right == 0 {
			continue
		}
		gs = append(gs, gutter{lo: v.Pos - .5, hi: v.Pos + .5})
	}
	slices.SortFunc(gs, func(a, b gutter) int { return cmp.Compare(a.lo, b.lo) })
	return gs
}

// divides reports whether a vertical rule goes along enough of the sheet to divide its columns.
func (s *sheet) divides(v content.Rule) bool {
	return math.Min(v.Hi, s.box.Y1)-math.Max(v.Lo, s.box.Y0) >= .5*s.box.Height()
}

// entries are what the rows have between two places; a piece without words for nothing.
func entries(body []*tabular.Row, lo, hi float64) []tabular.Piece {
	out := make([]tabular.Piece, len(body))
	for i, r := range body {
		a, b := -1, -1
		for k := range r.Words {
			if m := r.Words[k].Box.MidX(); m > lo && m < hi {
				if a < 0 {
					a = k
				}
				b = k
			}
		}
		if a >= 0 {
			out[i] = r.Part(a, b+1)
		}
	}
	return out
}

// dividing returns the gutters that divide columns. Of the others the narrowest goes first, since with it the columns at
// its sides become one and its neighbours are looked at anew.
func (s *sheet) dividing(gs []gutter, body []*tabular.Row) []gutter {
	column := func(i int) []tabular.Piece { // what stands before the i-th gutter
		lo, hi := math.Inf(-1), math.Inf(1)
		if i > 0 {
			lo = (gs[i-1].lo + gs[i-1].hi) / 2
		}
		if i < len(gs) {
			hi = (gs[i].lo + gs[i].hi) / 2
		}
		return entries(body, lo, hi)
	}
	cols := make([][]tabular.Piece, len(gs)+1)
	for i := range cols {
		cols[i] = column(i)
	}
	const unknown, kept, superfluous = 0, 1, 2
	state := make([]uint8, len(gs))
	for {
		at, width := -1, math.Inf(1)
		for i, g := range gs {
			if g.hi-g.lo >= width || state[i] == kept {
				continue
			}
			if state[i] == unknown {
				if state[i] = superfluous; s.keeps(g, cols[i], cols[i+1]) {
					state[i] = kept
					continue
				}
			}
			at, width = i, g.hi-g.lo
		}
		if at < 0 {
			return gs
		}
		gs, state, cols = slices.Delete(gs, at, at+1), slices.Delete(state, at, at+1), slices.Delete(cols, at, at+1)
		cols[at] = column(at)
		if at > 0 {
			state[at-1] = unknown
		}
		if at < len(state) {
			state[at] = unknown
		}
	}
}

func (s *sheet) keeps(g gutter, left, right []tabular.Piece) bool {
	if slices.ContainsFunc(s.forced, func(v content.Rule) bool { return v.Pos > g.lo-1.5 && v.Pos < g.hi+1.5 && s.divides(v) }) {
		return true
	}
	w := g.hi - g.lo
	if w < .3*s.em {
		return false
	}
	var gaps []float64
	n, figures, signs, nLeft, leftSigns := 0, 0, 0, 0, 0
	for i := range right {
		if left[i].Words != nil {
			nLeft++
			if t := left[i].Text(); strings.Trim(t, "$€£¥-–—− ") == "" && strings.ContainsAny(t, "$€£¥") || t == "EUR" || t == "USD" {
				leftSigns++
			}
		}
		if right[i].Words == nil {
			continue
		}
		n++
		t := right[i].Text()
		if tabular.Numeric(t) {
			figures++
		}
		if strings.Trim(t, "%*)†‡") == "" {
			signs++
		}
		if left[i].Words != nil {
			gaps = append(gaps, right[i].X0()-left[i].X1())
		}
	}
	if nLeft > 0 && leftSigns == nLeft || n > 0 && signs == n {
		return false // a currency, or a sign after figures, is no column
	}
	gap := geometry.Median(gaps, w)
	if n > 0 && float64(figures) >= .6*float64(n) {
		return w >= .35*s.em || gap >= .5*s.em
	}
	return n >= 2 && !s.crossed(g) && w >= .5*s.em && gap >= .8*s.em && (aligned(right) || w >= 1.2*s.em)
}

// crossed reports whether many rows of the body, those of one piece too, have text across a gutter: then it is a chance
// meeting of spaces in running text.
func (s *sheet) crossed(g gutter) bool {
	n, all := 0, 0
	for i := s.ruledHead(); i < len(s.rows); i++ {
		all++
		if slices.ContainsFunc(s.rows[i].Pieces(.45), func(p tabular.Piece) bool { return p.X0() < g.lo && p.X1() > g.hi }) {
			n++
		}
	}
	return float64(n) > .25*float64(all)
}

// aligned reports whether most entries of a column begin, end or have their middle at one place.
func aligned(es []tabular.Piece) bool {
	var lo, hi, mid []float64
	for _, e := range es {
		if e.Words != nil {
			lo, hi, mid = append(lo, e.X0()), append(hi, e.X1()), append(mid, e.Mid())
		}
	}
	return atOne(lo, 1.5) || atOne(hi, 1.5) || atOne(mid, 2)
}

func atOne(xs []float64, tol float64) bool {
	slices.Sort(xs)
	for i, j := 0, 0; i < len(xs); i++ {
		for j < len(xs) && xs[j]-xs[i] <= tol {
			j++
		}
		if float64(j-i) >= .6*float64(len(xs)) {
			return true
		}
	}
	return false
}

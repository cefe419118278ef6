package table

import (
	"math"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/tabular"
	"github.com/findspot/findspot/internal/lazyregexp"
)

const (
	maxHeadRows = 10
	maxGrowth   = 8
)

// isData reports whether a row holds figures beyond its first column. Years head columns.
func (s *sheet) isData(l *sline) bool {
	n, figures, years, filled := 0, 0, 0, 0
	for i := range l.cells {
		c := &l.cells[i]
		filled += c.cs
		if c.c == 0 {
			continue
		}
		n++
		if c.num {
			figures++
			if tabular.Year(c.text) {
				years++
			}
		}
	}
	return n > 0 && figures*2 >= n && years < figures && float64(filled) >= .3*float64(len(s.gutters)+1)
}

// headHeight is the number of rows of the head: those above the first rule across, else above the first row of figures.
func (s *sheet) headHeight() int {
	first, data := -1, 0
	for i := range s.lines {
		if s.isData(&s.lines[i]) {
			if first < 0 {
				first = i
			}
			data++
		}
	}
	for i := 1; i < len(s.lines) && i <= maxHeadRows; i++ {
		if !s.ruledAcross(s.lines[i-1].Base-.3*s.em, s.lines[i].Base-.3*s.em) {
			continue
		}
		n := 0
		for k := range i {
			if s.isData(&s.lines[k]) {
				n++
			}
		}
		if n >= 2 || n == 1 && i > 2 {
			break // figures begin above the rule: it divides parts of the body
		}
		return i
	}
	if first > 0 && first <= maxHeadRows {
		for first > 0 && s.labelOnly(&s.lines[first-1]) { // a title of the first part belongs to the body
			first--
		}
		return first
	}
	if first == 0 {
		return 0
	}
	return 1
}

func (s *sheet) labelOnly(l *sline) bool { return len(l.cells) == 1 && l.cells[0].c == 0 }

var notHead = lazyregexp.New(`^(?i:figure|fig\.|source|sources|note|notes|table|exhibit)\b`)

var headingNumber = lazyregexp.New(`^([A-Z]\.)?\d{1,3}(\.\d{1,3})*\.?$`)

// grow takes rows above the area into the head while they stand over its columns.
func (s *sheet) grow() {
	if s.kind == fromLattice || len(s.above) == 0 {
		return
	}
	last := s.lines[0].Row
	var taken []sline
	for k := len(s.above) - 1; k >= 0 && len(taken) < maxGrowth; k-- {
		r := &s.above[k]
		limit := 2.25
		if s.f.ruleBetween(r.Base, last.Base-.5*last.Size, s.box.X0, s.box.X1) {
			limit = 3.2
		}
		if last.Base-r.Base > limit*s.em || r.Size > 1.35*s.em || s.f.captionIn(r.Box()) || notHead.MatchString(r.Words[0].Text) {
			break
		}
		if r.Size > 1.1*s.em && headingNumber.MatchString(r.Words[0].Text) {
			break // the heading of a section
		}
		ps := r.Pieces(.6)
		if s.kind == fromChain && len(taken) == 0 && len(ps) < 2 {
			break
		}
		fits := r.X0() > s.box.X0-2*s.em && r.X1() < s.box.X1+2*s.em
		alone := len(ps) == 1
		for _, p := range ps {
			c, cs := s.over(p.X0(), p.X1())
			if cs == 1 && len(p.Words) > 6 || cs > 1 && c == 0 || alone && cs == 1 && c == 0 {
				fits = false
			}
		}
		if !fits {
			break
		}
		taken = append(taken, sline{r, s.cells(r)})
		last = r
	}
	if len(taken) == 0 {
		return
	}
	slices.Reverse(taken)
	for i := range taken {
		s.box = s.box.Union(taken[i].Box())
	}
	s.lines = append(taken, s.lines...)
	s.head += len(taken)
	s.findRules()
}

// A hcell is a cell of the head.
type hcell struct {
	c, cs  int
	x0, x1 float64
	base   float64 // of its last line
	text   string
	level  int
	words  []tabular.Word
}

// heads reads the head's rows into cells; cells of several lines are put together.
func (s *sheet) heads() []hcell {
	var out []hcell
	for i := range s.head {
		r := s.lines[i].Row
		var next *tabular.Row
		if i+1 < len(s.lines) {
			next = s.lines[i+1].Row
		}
		var line []hcell
		for _, h := range s.headLine(r, next) {
			if n := len(line); n > 0 && line[n-1].c+line[n-1].cs > h.c { // two pieces in one column
				l := &line[n-1]
				l.cs = max(l.c+l.cs, h.c+h.cs) - l.c
				l.text, l.x1 = l.text+" "+h.text, h.x1
				l.words = append(slices.Clip(l.words), h.words...)
				continue
			}
			line = append(line, h)
		}
		for k := range line {
			if !s.mergeHead(out, line, k) {
				out = append(out, line[k])
			}
		}
	}
	return out
}

func headCell(p tabular.Piece, base float64, c, cs int) hcell {
	return hcell{c: c, cs: cs, x0: p.X0(), x1: p.X1(), base: base, text: p.Text(), words: p.Words}
}

// headLine reads a row of the head into cells. A rule beneath a part of it shows what a piece spans; several pieces over
// one rule share its columns.
func (s *sheet) headLine(r, next *tabular.Row) []hcell {
	ps := r.Pieces(.6)
	var out []hcell
	if groups := s.spanners(ps, next); groups != nil {
		for i, g := range groups {
			out = append(out, headCell(ps[i], r.Base, g[0], g[1]-g[0]+1))
		}
		return out
	}
	for i := 0; i < len(ps); {
		h, ok := s.ruleUnder(ps[i], r)
		if !ok {
			out = append(out, s.headCells(ps[i], r, next)...)
			i++
			continue
		}
		j := i + 1
		for j < len(ps) && ps[j].Mid() > h.Lo && ps[j].Mid() < h.Hi {
			j++
		}
		c0, c1 := s.under(h)
		groups := s.share(ps[i:j], c0, c1)
		for k := i; k < j; k++ {
			if groups == nil {
				out = append(out, s.headCells(ps[k], r, next)...)
			} else {
				out = append(out, headCell(ps[k], r.Base, groups[k-i][0], groups[k-i][1]-groups[k-i][0]+1))
			}
		}
		i = j
	}
	return out
}

// ruleUnder finds a rule right beneath a piece that covers it and not the whole sheet.
func (s *sheet) ruleUnder(p tabular.Piece, r *tabular.Row) (content.Rule, bool) {
	x0, x1 := p.X0(), p.X1()
	for _, h := range s.hor {
		if h.Pos <= r.Base-.2*r.Size || h.Pos > r.Base+1.6*r.Size || h.Lo > x0+.5*s.em || h.Hi < x1-.5*s.em {
			continue
		}
		if c0, c1 := s.under(h); c0 >= 0 && (c0 > 0 || c1 < len(s.gutters)) {
			return h, true
		}
	}
	return content.Rule{}, false
}

// under returns the first and last column over the middle of which a rule runs, -1 when it has none.
func (s *sheet) under(h content.Rule) (first, last int) {
	first, last = -1, -1
	for k := 0; k <= len(s.gutters); k++ {
		if mid := s.middle(k, k); mid > h.Lo-1 && mid < h.Hi+1 {
			if first < 0 {
				first = k
			}
			last = k
		}
	}
	return first, last
}

// middle is the middle of the text of columns a to b.
func (s *sheet) middle(a, b int) float64 {
	lo, _ := s.extent(a)
	_, hi := s.extent(b)
	return (max(lo, s.box.X0) + min(hi, s.box.X1)) / 2
}

func (s *sheet) middles(a, b int) (xs []float64) {
	for k := a; k <= b; k++ {
		xs = append(xs, s.middle(k, k))
	}
	return xs
}

// share divides the columns c0 to c1 among pieces in their order so that each stands as near as can be to the middle of
// its columns. Nil when there are more pieces than columns.
func (s *sheet) share(ps []tabular.Piece, c0, c1 int) [][2]int {
	n, k := c1-c0+1, len(ps)
	if k > n || c0 < 0 || n > 60 {
		return nil
	}
	// best[i][j]: least distance when the first i pieces take the first j columns.
	best, from := make([][]float64, k+1), make([][]int, k+1)
	for i := range best {
		best[i], from[i] = make([]float64, n+1), make([]int, n+1)
		for j := range best[i] {
			best[i][j] = math.Inf(1)
		}
	}
	best[0][0] = 0
	for i := 1; i <= k; i++ {
		for j := i; j <= n; j++ {
			for m := i - 1; m < j; m++ {
				if d := best[i-1][m] + math.Abs(ps[i-1].Mid()-s.middle(c0+m, c0+j-1)); d < best[i][j] {
					best[i][j], from[i][j] = d, m
				}
			}
		}
	}
	out := make([][2]int, k)
	for i, j := k, n; i > 0; i-- {
		m := from[i][j]
		out[i-1] = [2]int{c0 + m, c0 + j - 1}
		j = m
	}
	return out
}

// spanners reads a row of the head without rules beneath as heads of groups: its pieces stand in the middle of groups
// that take all columns but the first, and each of these columns has a head of its own in the next row.
func (s *sheet) spanners(ps []tabular.Piece, below *tabular.Row) [][2]int {
	n := len(s.gutters) + 1
	if below == nil || len(ps) >= n-1 {
		return nil
	}
	if c, _ := s.over(ps[0].X0(), ps[0].X1()); c == 0 {
		return nil
	}
	named := make([]bool, n)
	next := below.Pieces(.6)
	for _, p := range next {
		c, cs := s.over(p.X0(), p.X1())
		for k := c; k < c+cs; k++ {
			named[k] = true
		}
	}
	if slices.Contains(named[1:], false) {
		return nil
	}
	groups := s.share(ps, 1, n-1)
	if len(ps) == 1 && slices.ContainsFunc(s.middles(1, n-1), func(x float64) bool { return math.Abs(x-ps[0].Mid()) < s.em }) {
		return nil // rather the first line of that column's head
	}
	for i, g := range groups {
		if math.Abs(ps[i].Mid()-s.middle(g[0], g[1])) > .5*s.em || openEnd.MatchString(ps[i].Text()) {
			return nil
		}
		for _, p := range next {
			r, _ := utf8.DecodeRuneInString(p.Words[0].Text)
			if (unicode.IsLower(r) || r == '(') && math.Abs(p.Mid()-ps[i].Mid()) < s.em {
				return nil // goes on right beneath
			}
		}
	}
	return groups
}

// headCells decides which columns a piece of the head stands over.
func (s *sheet) headCells(p tabular.Piece, r *tabular.Row, next *tabular.Row) []hcell {
	x0, x1 := p.X0(), p.X1()
	c, cs := s.over(x0, x1)
	if lo, hi, ok := s.interval(x0, x1); ok {
		a, n := s.over(lo+1, hi-1)
		alone := !slices.ContainsFunc(r.Words, func(w tabular.Word) bool {
			m := w.Box.MidX()
			return m > lo && m < hi && (m < x0 || m > x1)
		})
		if n > 1 && alone && (cs > 1 || math.Abs((lo+hi)/2-(x0+x1)/2) < s.em) {
			return []hcell{headCell(p, r.Base, a, n)}
		}
	}
	if cs == 1 {
		return []hcell{headCell(p, r.Base, c, 1)}
	}
	parts := s.divide(p, true)
	if len(parts) == 1 && next != nil {
		parts = s.overNext(p, next, c, cs)
	}
	var out []hcell
	for _, q := range parts {
		a, n := s.over(q.X0(), q.X1())
		out = append(out, headCell(q, r.Base, a, n))
	}
	return out
}

// interval is the space between the vertical rules around a piece.
func (s *sheet) interval(x0, x1 float64) (lo, hi float64, ok bool) {
	if len(s.forced) == 0 {
		return 0, 0, false
	}
	lo, hi = s.box.X0, s.box.X1
	for _, v := range s.forced {
		if v.Pos <= x0+1 {
			lo = math.Max(lo, v.Pos)
		}
		if v.Pos >= x1-1 {
			hi = math.Min(hi, v.Pos)
		}
	}
	return lo, hi, hi > lo
}

// overNext cuts a piece at the gutters when most of the parts begin or end where their columns do, or stand centred over a
// piece of the next row.
func (s *sheet) overNext(p tabular.Piece, next *tabular.Row, c, cs int) []tabular.Piece {
	var parts []tabular.Piece
	start := 0
	for k := c; k < c+cs-1; k++ {
		cut := (s.gutters[k].lo + s.gutters[k].hi) / 2
		at := start
		for at < len(p.Words) && p.Words[at].Box.MidX() < cut {
			at++
		}
		if at == start || at == len(p.Words) {
			return []tabular.Piece{p}
		}
		parts = append(parts, p.Part(start, at))
		start = at
	}
	parts = append(parts, p.Part(start, len(p.Words)))
	on := 0
	for i, q := range parts {
		lo, hi := s.extent(c + i)
		if math.Abs(q.X0()-lo) < .4*s.em || math.Abs(q.X1()-hi) < .4*s.em {
			on++
			continue
		}
		for _, n := range next.Pieces(.6) {
			if math.Abs(n.Mid()-q.Mid()) <= 1.2*s.em {
				on++
				break
			}
		}
	}
	if float64(on) >= .75*float64(len(parts)) {
		return parts
	}
	return []tabular.Piece{p}
}

// mergeHead joins line[k] to the cell above it when it goes on with it.
func (s *sheet) mergeHead(cells []hcell, line []hcell, k int) bool {
	h := &line[k]
	for i := len(cells) - 1; i >= 0; i-- {
		a := &cells[i]
		if a.c+a.cs <= h.c || h.c+h.cs <= a.c || a.base >= h.base {
			continue
		}
		// The nearest cell above.
		if h.base-a.base > 2.2*s.em || s.ruled(a.base-.2*s.em, h.base-.4*s.em, math.Max(a.x0, h.x0), math.Min(math.Max(a.x1, a.x0+1), math.Max(h.x1, h.x0+1)), .5) {
			return false
		}
		same := a.c == h.c && a.cs == h.cs
		if !same && a.cs > 1 && h.c >= a.c && h.c+h.cs <= a.c+a.cs && math.Abs((a.x0+a.x1)/2-(h.x0+h.x1)/2) <= 1.5*s.em {
			same = true // a head over several columns goes on, alone and centred
			for j := range line {
				if j != k && line[j].c < a.c+a.cs && a.c < line[j].c+line[j].cs {
					same = false
				}
			}
		}
		if !same {
			return false
		}
		a.text = s.f.words.JoinLines(a.text, h.text)
		a.base = h.base
		a.x0, a.x1 = math.Min(a.x0, h.x0), math.Max(a.x1, h.x1)
		a.words = append(slices.Clip(a.words), h.words...)
		return true
	}
	return false
}

// levels numbers the rows of the head from the top: a cell stands one below the lowest cell over its columns. It returns
// the number of rows.
func levels(hs []hcell) int {
	n := 0
	for i := range hs {
		for k := range i {
			if hs[k].c < hs[i].c+hs[i].cs && hs[i].c < hs[k].c+hs[k].cs {
				hs[i].level = max(hs[i].level, hs[k].level+1)
			}
		}
		n = max(n, hs[i].level+1)
	}
	return n
}

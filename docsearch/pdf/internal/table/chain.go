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

const maxChainRules = 500

// chains reads what lies between successive horizontal rules of equal extent, as books set tables.
func (f *finder) chains() {
	bars := f.withoutHeadRules(f.bars())
	if len(bars) < 2 || len(bars) > maxChainRules {
		return
	}
	// The widest first: a rule under a spanning head is no chain of its own.
	order := make([]int, len(bars))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool {
		a, b := bars[order[i]], bars[order[j]]
		return a.Hi-a.Lo > b.Hi-b.Lo+8
	})
	spent := make([]bool, len(bars))
	for pass := range 2 { // chains across the gutter of the page first
		if pass == 0 && !f.twoCols {
			continue
		}
		whole, regs := free(f), regions(f)
		for _, i := range order {
			b := bars[i]
			if spent[i] || f.isUsed(geometry.NewRect(b.Lo, b.Pos-.5, b.Hi, b.Pos+.5)) {
				continue
			}
			across := f.twoCols && b.Lo < f.mid-2*f.em && b.Hi > f.mid+2*f.em
			if across != (pass == 0) && f.twoCols {
				continue
			}
			rs := whole
			if !across && f.twoCols {
				rs = regs[1].rows
				if b.Lo > f.mid-2*f.em {
					rs = regs[2].rows
				}
			}
			if s := f.chain(bars, spent, i, rs, across); s != nil {
				for k := range bars {
					if bars[k].Pos >= s.box.Y0-grid.Tolerance && bars[k].Pos <= s.box.Y1+grid.Tolerance && bars[k].Lo < s.box.X1 && bars[k].Hi > s.box.X0 {
						spent[k] = true
					}
				}
				whole, regs = free(f), regions(f)
			}
		}
	}
}

// withoutHeadRules leaves out the rule under the page's running head, and the one over its foot.
func (f *finder) withoutHeadRules(bars []content.Rule) []content.Rule {
	first, last := &f.rows[0], &f.rows[len(f.rows)-1]
	return slices.DeleteFunc(bars, func(b content.Rule) bool {
		if b.Hi-b.Lo < .4*f.w {
			return false
		}
		below, above := math.Inf(1), math.Inf(-1) // the rows next to the outermost
		if len(f.rows) > 2 {
			below, above = f.rows[1].Base-f.rows[1].Size, f.rows[len(f.rows)-2].Base
		}
		return b.Pos < .14*f.h && b.Pos > first.Base-.5*first.Size && b.Pos < below && f.isFolio(first) ||
			b.Pos > .86*f.h && b.Pos < last.Base && b.Pos > above && f.isFolio(last)
	})
}

// bars joins the pieces of horizontal rules at one height that cover most of the way between them.
func (f *finder) bars() []content.Rule {
	var out []content.Rule
	for i := 0; i < len(f.hor); {
		j, sum := i, 0.0
		lo, hi := math.Inf(1), math.Inf(-1)
		for ; j < len(f.hor) && f.hor[j].Pos == f.hor[i].Pos; j++ {
			r := f.hor[j]
			if r.Hi-r.Lo < grid.LeastRule*2 || f.isUsed(geometry.NewRect(r.Lo, r.Pos-.5, r.Hi, r.Pos+.5)) {
				continue
			}
			gap := r.Lo - hi
			if hi > lo && (gap > 3*f.em || f.twoCols && hi <= f.mid && r.Lo >= f.mid && gap > f.em) {
				// Too far apart: rules of two tables side by side.
				if sum >= .6*(hi-lo) && hi-lo > 3*f.em {
					out = append(out, content.Rule{Vertical: false, Pos: r.Pos, Lo: lo, Hi: hi})
				}
				lo, hi, sum = math.Inf(1), math.Inf(-1), 0
			}
			lo, hi = math.Min(lo, r.Lo), math.Max(hi, r.Hi)
			sum += r.Hi - r.Lo
		}
		if hi > lo && sum >= .6*(hi-lo) && hi-lo > 3*f.em {
			out = append(out, content.Rule{Vertical: false, Pos: f.hor[i].Pos, Lo: lo, Hi: hi})
		}
		i = j
	}
	return out
}

// chain follows successive bars of the extent of the first and reads the table between them, if there is one.
func (f *finder) chain(bars []content.Rule, spent []bool, first int, rs []tabular.Row, across bool) *sheet {
	// The first may lie within the chain: go to the top of it.
	alike := func(k int) bool {
		return !spent[k] && math.Abs(bars[k].Lo-bars[first].Lo) <= 8 && math.Abs(bars[k].Hi-bars[first].Hi) <= 8
	}
	var same []int
	for k := range bars {
		if alike(k) {
			same = append(same, k)
		}
	}
	at := sort.SearchInts(same, first)
	if at >= len(same) || same[at] != first || len(same) < 2 {
		return nil
	}
	lo, hi := at, at
	b := geometry.NewRect(bars[first].Lo-2, 0, bars[first].Hi+2, 0)
	for lo > 0 && f.joinsChain(rs, geometry.NewRect(b.X0, bars[same[lo-1]].Pos, b.X1, bars[same[lo]].Pos), true) {
		lo--
	}
	for hi+1 < len(same) && f.joinsChain(rs, geometry.NewRect(b.X0, bars[same[hi]].Pos, b.X1, bars[same[hi+1]].Pos), hi == lo) {
		hi++
	}
	if hi == lo {
		return nil
	}
	for _, k := range same[lo : hi+1] {
		spent[k] = true // whatever comes of it: from each of them the same chain would be followed
	}
	top, bottom := bars[same[lo]], bars[same[hi]]
	area := geometry.NewRect(math.Min(top.Lo, bottom.Lo), top.Pos, math.Max(top.Hi, bottom.Hi), bottom.Pos)
	lines := tabular.Between(rs, geometry.NewRect(area.X0-3, area.Y0, area.X1+3, area.Y1))
	several, both := 0, 0
	for i := range lines {
		if lines[i].Split(1) {
			several++
		}
		if across {
			if l, r := lines[i].Cut(f.mid, .7); tabular.Prose(l, lines[i].Size) && tabular.Prose(r, lines[i].Size) {
				both++
			}
		}
	}
	if several < 2 || float64(several) < .4*float64(len(lines)) || float64(both) > .3*float64(len(lines)) {
		return nil
	}
	s := newSheet(f, area, fromChain)
	s.rows = lines
	s.above = tabular.Between(rs, geometry.NewRect(area.X0-3, area.Y0-30*f.em, area.X1+3, area.Y0))
	if s.read() && f.accept(s) {
		return s
	}
	return nil
}

// joinsChain reports whether what lies between two bars lets them belong to one table.
func (f *finder) joinsChain(rs []tabular.Row, a geometry.Rect, first bool) bool {
	lines := tabular.Between(rs, geometry.NewRect(a.X0, a.Y0, a.X1, a.Y1))
	if f.captionIn(a) {
		return false
	}
	if len(lines) == 0 {
		return a.Y1-a.Y0 < 6*f.em
	}
	several, wide := 0, 0
	for i := range lines {
		if lines[i].Split(1) || lines[i].X0() > a.X0+.25*(a.X1-a.X0) && len(lines[i].Words) < 6 {
			several++ // what begins far in is beneath a column
		} else if lines[i].Size > 1.3*f.em && tabular.AlphaWords(lines[i].Words) > 0 {
			return false // a heading
		} else if len(lines[i].Words) >= 6 && lines[i].X1()-lines[i].X0() > .6*(a.X1-a.X0) {
			wide++
		}
	}
	if wide >= 2 && wide > several {
		return false
	}
	return float64(several) >= .4*float64(len(lines)) || first && len(lines) <= 2 || !first && len(lines) <= 2
}

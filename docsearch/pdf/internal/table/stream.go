package table

import (
	"math"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
	"github.com/findspot/findspot/docsearch/pdf/internal/pattern"
	"github.com/findspot/findspot/docsearch/pdf/internal/tabular"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// streams finds tables without rules: successive rows whose pieces stand in columns.
func (f *finder) streams() {
	for _, reg := range regions(f) {
		rs := f.withoutFolios(reg.rows)
		width := textWidth(rs)
		for i := 0; i < len(rs); {
			if !rs[i].Split(1) || f.captionIn(rs[i].Box()) {
				i++
				continue
			}
			end, several := f.stream(rs, i, width)
			if several < 3 {
				i = max(i+1, end)
				continue
			}
			b := geometry.Empty()
			for k := i; k < end; k++ {
				b = b.Union(rs[k].Box())
			}
			s := newSheet(f, b, fromStream)
			s.rows = rs[i:end:end]
			s.above = rs[max(0, i-8):i]
			if s.read() && f.accept(s) {
				i = end
				continue
			}
			i = end
		}
	}
}

// stream follows rows from the first while they keep at least two columns between them. It returns the row after the
// last, and the number of rows with several pieces.
func (f *finder) stream(rs []tabular.Row, first int, width float64) (end, several int) {
	const step = 1.0
	n := int(f.w/step) + 2
	if n > 20_000 {
		return first + 1, 0
	}
	if len(f.cover) < n {
		f.cover = make([]int, n)
	}
	cover := f.cover[:n]
	clear(cover)
	end = first
	single := 0
	for k := first; k < len(rs); k++ {
		r := &rs[k]
		if k > first && r.Base-rs[k-1].Base > 3.2*math.Max(f.em, r.Size) {
			break
		}
		if f.captionIn(r.Box()) {
			break
		}
		if !r.Split(1) {
			if single++; single > 3 || r.X1()-r.X0() > .75*width {
				break
			}
			continue
		}
		ps := r.Pieces(.8)
		add := func(d int) {
			for _, p := range ps {
				for x, last := max(int(p.X0()/step), 0), min(int(p.X1()/step), n-1); x <= last; x++ {
					cover[x] += d
				}
			}
		}
		add(1)
		if columnsOf(cover, int(.04*float64(several+1)), int(.5*f.em/step)) < 2 {
			add(-1)
			break
		}
		several++
		single = 0
		end = k + 1
	}
	return max(end, first+1), several
}

// withoutFolios leaves out the first and the last row of the page when they end or begin with its number.
func (f *finder) withoutFolios(rs []tabular.Row) []tabular.Row {
	if len(rs) > 0 && rs[0].Base == f.rows[0].Base && f.isFolio(&rs[0]) {
		rs = rs[1:]
	}
	if n := len(rs); n > 0 && rs[n-1].Base == f.rows[len(f.rows)-1].Base && f.isFolio(&rs[n-1]) {
		rs = rs[:n-1]
	}
	return rs
}

// isFolio reports whether a row at the top or the foot of the page begins or ends with its number.
func (f *finder) isFolio(r *tabular.Row) bool {
	if r.Base > .15*f.h && r.Base < .88*f.h {
		return false
	}
	ps := r.Pieces(1)
	return len(ps) <= 3 && (folioNumber.MatchString(ps[0].Text()) || folioNumber.MatchString(ps[len(ps)-1].Text()))
}

var folioNumber = pattern.Regexp{Regexp: lazyregexp.New(`^(\d{1,4}|[ivxlc]+)$|\s\d{1,4}$`), Maybe: func(s string) bool {
	return pattern.EndsInDigit(s) || s != "" && strings.IndexByte("ivxlc", s[len(s)-1]) >= 0
}}

// textWidth is how wide the text of rows is, without the few that stick out.
func textWidth(rs []tabular.Row) float64 {
	var lo, hi []float64
	for i := range rs {
		lo, hi = append(lo, rs[i].X0()), append(hi, rs[i].X1())
	}
	if len(lo) == 0 {
		return 0
	}
	slices.Sort(lo)
	slices.Sort(hi)
	return hi[len(hi)-1-len(hi)/20] - lo[len(lo)/20]
}

// columnsOf counts the runs of a projection that are higher than the tolerance.
func columnsOf(cover []int, limit, least int) int {
	n, gap := 0, least
	for _, c := range cover {
		if c > limit {
			if gap >= least {
				n++
			}
			gap = 0
		} else {
			gap++
		}
	}
	return n
}

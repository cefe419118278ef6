package table

import (
	"math"
	"slices"
	"sort"

	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
	"github.com/findspot/findspot/docsearch/pdf/internal/tabular"
)

// A region is a part of the page whose rows are read on their own: the page, or one of its columns of text.
type region struct {
	x0, x1 float64
	rows   []tabular.Row
}

// findGutter finds the gap between the columns of a two-column page: near the middle, with lines of prose at it. ok is false
// on pages of one column.
func findGutter(f *finder) (x float64, ok bool) {
	lo, hi := int(.4*f.w), int(.6*f.w)
	if len(f.rows) < 8 || hi-lo < 10 || hi-lo > 5000 {
		return 0, false
	}
	free := make([]int, hi-lo+1) // rows that leave a gap there
	for i := range f.rows {
		r := &f.rows[i]
		end := 0.0
		for k := 0; k <= len(r.Words); k++ {
			next := f.w
			if k < len(r.Words) {
				next = r.Words[k].Box.X0
			}
			if next-end >= .7*r.Size {
				for p := max(int(math.Ceil(end))-lo, 0); p <= min(int(next)-lo, hi-lo); p++ {
					free[p]++
				}
			}
			if k < len(r.Words) {
				end = math.Max(end, r.Words[k].Box.X1)
			}
		}
	}
	best, from, to := -1, 0, 0
	for p := 0; p < len(free); {
		q := p
		for q < len(free) && free[q] == free[p] {
			q++
		}
		if free[p] > best || free[p] == best && q-p > to-from {
			best, from, to = free[p], p, q
		}
		p = q
	}
	x = float64(lo) + float64(from+to-1)/2
	left, right, cross := 0, 0, 0
	for i := range f.rows {
		l, r := f.rows[i].Cut(x, .7)
		if l == nil && r == nil {
			cross++
			continue
		}
		if tabular.Prose(l, f.rows[i].Size) {
			left++
		}
		if tabular.Prose(r, f.rows[i].Size) {
			right++
		}
	}
	return x, max(left, right) >= 8 && left+right >= cross
}

// regions returns the rows that are in no table yet, by the columns of the page: first those across, then left and right.
func regions(f *finder) []region {
	free := free(f)
	if !f.twoCols {
		return []region{{0, f.w, free}}
	}
	all, left, right := region{0, f.w, nil}, region{0, f.mid, nil}, region{f.mid, f.w, nil}
	across := across(f, free)
	for i := range free {
		l, r := free[i].Cut(f.mid, .7)
		switch {
		case l == nil && r == nil || across[i]:
			all.rows = append(all.rows, free[i])
		default:
			if len(l) > 0 {
				left.rows = append(left.rows, free[i].With(l))
			}
			if len(r) > 0 {
				right.rows = append(right.rows, free[i].With(r))
			}
		}
	}
	return []region{all, left, right}
}

// across marks the rows of a page of two columns that go on over the gutter though they leave it free: those next to a
// table's caption across the page, up to the first row with running text in a column.
func across(f *finder, rs []tabular.Row) []bool {
	out := make([]bool, len(rs))
	for i := range f.captions {
		b := f.captions[i].box
		if f.captions[i].of.Figure || b.X0 > f.mid-2*f.em || b.X1 < f.mid+2*f.em {
			continue
		}
		mark := func(k int, last float64) (ok bool, base float64) {
			r := &rs[k]
			if math.Abs(r.Base-last) > 3.2*f.em {
				return false, 0
			}
			l, right := r.Cut(f.mid, .7)
			if tabular.Prose(l, r.Size) && len(l) >= 5 || tabular.Prose(right, r.Size) && len(right) >= 5 {
				return false, 0
			}
			out[k] = true
			return true, r.Base
		}
		at := sort.Search(len(rs), func(k int) bool { return rs[k].Base > b.Y1 })
		for k, last, ok := at, b.Y1, true; ok && k < len(rs); k++ {
			ok, last = mark(k, last)
		}
		at = sort.Search(len(rs), func(k int) bool { return rs[k].Base > b.Y0 })
		for k, last, ok := at-1, b.Y0, true; ok && k >= 0; k-- {
			ok, last = mark(k, last)
		}
	}
	return out
}

// free returns the rows of the page without the words of tables found.
func free(f *finder) []tabular.Row {
	if len(f.used) == 0 {
		return f.rows
	}
	var out []tabular.Row
	for i := range f.rows {
		r := f.rows[i]
		inside := func(w tabular.Word) bool {
			return f.isUsed(geometry.NewRect(w.Box.MidX(), r.Base-.3*r.Size, w.Box.MidX(), r.Base-.3*r.Size))
		}
		if slices.ContainsFunc(r.Words, inside) {
			r.Words = slices.DeleteFunc(slices.Clone(r.Words), inside)
		}
		if len(r.Words) > 0 {
			out = append(out, r)
		}
	}
	return out
}

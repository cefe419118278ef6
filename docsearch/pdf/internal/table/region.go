package table

import (
	"math"
	"slices"
	"sort"

	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
)

// A region is a part of the page whose rows are read on their own: the page, or one of its columns of text.
type region struct {
	x0, x1 float64
	rows   []row
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
		for k := 0; k <= len(r.words); k++ {
			next := f.w
			if k < len(r.words) {
				next = r.words[k].box.X0
			}
			if next-end >= .7*r.size {
				for p := max(int(math.Ceil(end))-lo, 0); p <= min(int(next)-lo, hi-lo); p++ {
					free[p]++
				}
			}
			if k < len(r.words) {
				end = math.Max(end, r.words[k].box.X1)
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
		l, r := f.rows[i].cut(x, .7)
		if l == nil && r == nil {
			cross++
			continue
		}
		if prose(l, f.rows[i].size) {
			left++
		}
		if prose(r, f.rows[i].size) {
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
		l, r := free[i].cut(f.mid, .7)
		switch {
		case l == nil && r == nil || across[i]:
			all.rows = append(all.rows, free[i])
		default:
			if len(l) > 0 {
				left.rows = append(left.rows, row{l, free[i].base, free[i].size})
			}
			if len(r) > 0 {
				right.rows = append(right.rows, row{r, free[i].base, free[i].size})
			}
		}
	}
	return []region{all, left, right}
}

// across marks the rows of a page of two columns that go on over the gutter though they leave it free: those next to a
// table's caption across the page, up to the first row with running text in a column.
func across(f *finder, rs []row) []bool {
	out := make([]bool, len(rs))
	for i := range f.captions {
		b := f.captions[i].box
		if f.captions[i].of.Figure || b.X0 > f.mid-2*f.em || b.X1 < f.mid+2*f.em {
			continue
		}
		mark := func(k int, last float64) (ok bool, base float64) {
			r := &rs[k]
			if math.Abs(r.base-last) > 3.2*f.em {
				return false, 0
			}
			l, right := r.cut(f.mid, .7)
			if prose(l, r.size) && len(l) >= 5 || prose(right, r.size) && len(right) >= 5 {
				return false, 0
			}
			out[k] = true
			return true, r.base
		}
		at := sort.Search(len(rs), func(k int) bool { return rs[k].base > b.Y1 })
		for k, last, ok := at, b.Y1, true; ok && k < len(rs); k++ {
			ok, last = mark(k, last)
		}
		at = sort.Search(len(rs), func(k int) bool { return rs[k].base > b.Y0 })
		for k, last, ok := at-1, b.Y0, true; ok && k >= 0; k-- {
			ok, last = mark(k, last)
		}
	}
	return out
}

// free returns the rows of the page without the words of tables found.
func free(f *finder) []row {
	if len(f.used) == 0 {
		return f.rows
	}
	var out []row
	for i := range f.rows {
		r := f.rows[i]
		inside := func(w word) bool {
			return f.isUsed(geometry.NewRect(w.box.MidX(), r.base-.3*r.size, w.box.MidX(), r.base-.3*r.size))
		}
		if slices.ContainsFunc(r.words, inside) {
			r.words = slices.DeleteFunc(slices.Clone(r.words), inside)
		}
		if len(r.words) > 0 {
			out = append(out, r)
		}
	}
	return out
}

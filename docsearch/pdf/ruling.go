package pdf

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
)

const (
	maxTableRules = 6000 // more rules on a page are a drawing
	maxTableFills = 1500
	ruleTol       = 3.0 // points: rules nearer than this are at one place, ends nearer than this meet
	leastRule     = 4.0 // points
)

// rulings collects the horizontal and vertical rules of the page in a frame: strokes, thin rectangles and images, the
// sides of areas of a colour that can be seen, and words of dashes.
func rulings(c *canvas, f frame, dashes []rule, em float64) (h, vert []rule) {
	w, ht := f.size()
	hidden := covers(c)
	all := make([]rule, 0, len(c.rules)+len(dashes))
	for i, r := range c.rules {
		if !hidden.hides(i, r) {
			all = append(all, f.rule(r))
		}
	}
	for _, im := range c.images {
		switch b := f.turned(im.box); {
		case b.Height() <= thinRule && b.Width() >= leastRule:
			all = append(all, rule{false, b.MidY(), b.X0, b.X1})
		case b.Width() <= thinRule && b.Height() >= leastRule:
			all = append(all, rule{true, b.MidX(), b.Y0, b.Y1})
		}
	}
	all = append(all, dashes...)
	if len(all) > maxTableRules*4 {
		return nil, nil
	}
	shaded := shades(c, f, all)
	for _, b := range append(shaded, stripes(shaded, em)...) {
		all = append(all, rule{false, b.Y0, b.X0, b.X1}, rule{false, b.Y1, b.X0, b.X1}, rule{true, b.X0, b.Y0, b.Y1}, rule{true, b.X1, b.Y0, b.Y1})
	}
	for _, r := range all {
		pos, hi := ht, w
		if r.vertical {
			pos, hi = w, ht
		}
		r.lo, r.hi = math.Max(r.lo, 0), math.Min(r.hi, hi)
		if r.pos < -1 || r.pos > pos+1 || r.hi < r.lo {
			continue
		}
		if r.vertical {
			vert = append(vert, r)
		} else {
			h = append(h, r)
		}
	}
	h, vert = joinRules(h), joinRules(vert)
	if len(h)+len(vert) > maxTableRules {
		return nil, nil
	}
	return h, vert
}

// joinRules snaps rules to common places and joins those that meet. Short ones that meet none are dropped: they are
// dashes, ticks and parts of signs.
func joinRules(rs []rule) []rule {
	slices.SortFunc(rs, func(a, b rule) int { return cmp.Compare(a.pos, b.pos) })
	for i := 0; i < len(rs); {
		// A group is what lies within the tolerance of its first; its place is where most of the length is.
		j, sum, weight := i, 0.0, 0.0
		for ; j < len(rs) && rs[j].pos-rs[i].pos < ruleTol; j++ {
			l := math.Max(rs[j].hi-rs[j].lo, .1)
			sum, weight = sum+rs[j].pos*l, weight+l
		}
		for k := i; k < j; k++ {
			rs[k].pos = sum / weight
		}
		i = j
	}
	slices.SortStableFunc(rs, func(a, b rule) int { return cmp.Or(cmp.Compare(a.pos, b.pos), cmp.Compare(a.lo, b.lo)) })
	var out []rule
	for _, r := range rs {
		if n := len(out); n > 0 && out[n-1].pos == r.pos && r.lo <= out[n-1].hi+ruleTol {
			out[n-1].hi = math.Max(out[n-1].hi, r.hi)
			continue
		}
		out = append(out, r)
	}
	kept := out[:0]
	for _, r := range out {
		if r.hi-r.lo >= leastRule {
			kept = append(kept, r)
		}
	}
	return kept
}

// A whiteout is a white area painted over what was there before.
type whiteout []fill

func covers(c *canvas) whiteout {
	var out whiteout
	for _, f := range c.fills {
		if white(f.color) && f.over > 0 && len(out) < 200 {
			out = append(out, f)
		}
	}
	return out
}

func (w whiteout) hides(i int, r rule) bool {
	for k := range w {
		b := &w[k].box
		if i >= w[k].over {
			continue
		}
		// A rule on the very edge is the border of the area, not under it.
		if r.vertical && r.pos > b.X0+1 && r.pos < b.X1-1 && r.lo >= b.Y0-.5 && r.hi <= b.Y1+.5 ||
			!r.vertical && r.pos > b.Y0+1 && r.pos < b.Y1-1 && r.lo >= b.X0-.5 && r.hi <= b.X1+.5 {
			return true
		}
	}
	return false
}

// shades returns the coloured areas whose edges show and can bound cells. A page's background bounds nothing, an area
// in one of its own colour has no edge, and the shade of a paragraph or a cell's inside ends short of the cell's border.
func shades(c *canvas, f frame, drawn []rule) []geometry.Rect {
	if len(c.fills) > maxTableFills {
		return nil
	}
	w, h := f.size()
	var fs []fill
	for _, x := range c.fills {
		if b := f.turned(x.box); !white(x.color) && !(b.Width() > .95*w && b.Height() > .95*h) {
			fs = append(fs, fill{b, x.color, x.over})
		}
	}
	var upright []rule
	for _, r := range drawn {
		if r.vertical && r.hi-r.lo >= leastRule {
			upright = append(upright, r)
		}
	}
	var out []geometry.Rect
	for i := range fs {
		if !invisible(fs, i) && !within(fs[i].box, upright) {
			out = append(out, fs[i].box)
		}
	}
	return out
}

// stripes returns the plain rows between shaded ones: spaces no higher than three lines between two areas that begin and
// end at the same places.
func stripes(shaded []geometry.Rect, em float64) []geometry.Rect {
	sorted := slices.Clone(shaded)
	slices.SortFunc(sorted, func(a, b geometry.Rect) int {
		return cmp.Or(cmp.Compare(math.Round(a.X0), math.Round(b.X0)), cmp.Compare(math.Round(a.X1), math.Round(b.X1)), cmp.Compare(a.Y0, b.Y0))
	})
	var out []geometry.Rect
	for i := 1; i < len(sorted); i++ {
		a, b := sorted[i-1], sorted[i]
		if math.Abs(a.X0-b.X0) > 1 || math.Abs(a.X1-b.X1) > 1 {
			continue
		}
		if gap := b.Y0 - a.Y1; gap > ruleTol && gap <= 4*em {
			out = append(out, geometry.NewRect(a.X0, a.Y1, a.X1, b.Y0))
		}
	}
	return out
}

func invisible(fs []fill, i int) bool {
	const tol = .6
	b := fs[i].box
	for k := range fs {
		o := fs[k].box
		if k == i || b.Y0 < o.Y0-tol || b.Y1 > o.Y1+tol || b.X0 < o.X0-tol || b.X1 > o.X1+tol {
			continue
		}
		if same := sameColor(fs[i].color, fs[k].color); same && (k < i || o.Width()*o.Height() > b.Width()*b.Height()+1) {
			return true
		}
		if l, r := b.X0-o.X0, o.X1-b.X1; l >= .4 && l <= 10 && r >= .4 && r <= 10 {
			return true
		}
	}
	return false
}

func sameColor(a, b [3]float64) bool {
	for i := range a {
		if math.Abs(a[i]-b[i]) > .02 {
			return false
		}
	}
	return true
}

// within reports whether real rules stand close outside on both sides of a shade.
func within(b geometry.Rect, upright []rule) bool {
	left, right := false, false
	for _, r := range upright {
		if math.Min(r.hi, b.Y1)-math.Max(r.lo, b.Y0) < .5*b.Height() {
			continue
		}
		if d := b.X0 - r.pos; d >= .4 && d <= 10 {
			left = true
		}
		if d := r.pos - b.X1; d >= .4 && d <= 10 {
			right = true
		}
	}
	return left && right
}

// dashWords takes words of dashes or underscores out as rules, and drops leaders of dots.
func dashWords(words []word) (kept []word, dashes []rule) {
	kept = words[:0]
	for _, w := range words {
		if n := len(w.text); n >= 2 && strings.Trim(w.text, "-_=–—─═") == "" {
			runes := len([]rune(w.text))
			if runes >= 6 || w.box.Width() > 4*w.size {
				y := w.base
				if strings.Trim(w.text, "_") != "" {
					y -= .3 * w.size
				}
				dashes = append(dashes, rule{false, y, w.box.X0, w.box.X1})
				continue
			}
		}
		if t := strings.TrimRight(w.text, ".…·"); len(t) < len(w.text) {
			dots := len([]rune(w.text[len(t):]))
			if t == "" && dots >= 3 {
				continue
			}
			if t != "" && dots >= 4 {
				all := len([]rune(w.text))
				w.box.X1 -= w.box.Width() * float64(dots) / float64(all) * .8
				w.text = t
			}
		}
		kept = append(kept, w)
	}
	return kept, dashes
}

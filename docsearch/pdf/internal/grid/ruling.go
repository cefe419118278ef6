package grid

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
	"github.com/findspot/findspot/docsearch/pdf/internal/layout"
	"github.com/findspot/findspot/docsearch/pdf/internal/tabular"
)

const (
	maxTableRules = 6000 // more rules on a page are a drawing
	maxTableFills = 1500
	Tolerance     = 3.0 // points: rules nearer than this are at one place, ends nearer than this meet
	LeastRule     = 4.0 // points
)

// Rules collects the horizontal and vertical rules of the page in a frame: strokes, thin rectangles and images, the
// sides of areas of a colour that can be seen, and words of dashes.
func Rules(c *content.Canvas, f layout.Frame, dashes []content.Rule, em float64) (h, vert []content.Rule) {
	w, ht := f.Size()
	hidden := covers(c)
	all := make([]content.Rule, 0, len(c.Rules)+len(dashes))
	for i, r := range c.Rules {
		if !hidden.hides(i, r) {
			all = append(all, f.Rule(r))
		}
	}
	for _, im := range c.Images {
		switch b := f.Turned(im.Box); {
		case b.Height() <= content.ThinRule && b.Width() >= LeastRule:
			all = append(all, content.Rule{Vertical: false, Pos: b.MidY(), Lo: b.X0, Hi: b.X1})
		case b.Width() <= content.ThinRule && b.Height() >= LeastRule:
			all = append(all, content.Rule{Vertical: true, Pos: b.MidX(), Lo: b.Y0, Hi: b.Y1})
		}
	}
	all = append(all, dashes...)
	if len(all) > maxTableRules*4 {
		return nil, nil
	}
	shaded := shades(c, f, all)
	for _, b := range append(shaded, stripes(shaded, em)...) {
		all = append(all, content.Rule{Vertical: false, Pos: b.Y0, Lo: b.X0, Hi: b.X1}, content.Rule{Vertical: false, Pos: b.Y1, Lo: b.X0, Hi: b.X1}, content.Rule{Vertical: true, Pos: b.X0, Lo: b.Y0, Hi: b.Y1}, content.Rule{Vertical: true, Pos: b.X1, Lo: b.Y0, Hi: b.Y1})
	}
	for _, r := range all {
		pos, hi := ht, w
		if r.Vertical {
			pos, hi = w, ht
		}
		r.Lo, r.Hi = math.Max(r.Lo, 0), math.Min(r.Hi, hi)
		if r.Pos < -1 || r.Pos > pos+1 || r.Hi < r.Lo {
			continue
		}
		if r.Vertical {
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
func joinRules(rs []content.Rule) []content.Rule {
	slices.SortFunc(rs, func(a, b content.Rule) int { return cmp.Compare(a.Pos, b.Pos) })
	for i := 0; i < len(rs); {
		// A group is what lies within the tolerance of its first; its place is where most of the length is.
		j, sum, weight := i, 0.0, 0.0
		for ; j < len(rs) && rs[j].Pos-rs[i].Pos < Tolerance; j++ {
			l := math.Max(rs[j].Hi-rs[j].Lo, .1)
			sum, weight = sum+rs[j].Pos*l, weight+l
		}
		for k := i; k < j; k++ {
			rs[k].Pos = sum / weight
		}
		i = j
	}
	slices.SortStableFunc(rs, func(a, b content.Rule) int { return cmp.Or(cmp.Compare(a.Pos, b.Pos), cmp.Compare(a.Lo, b.Lo)) })
	var out []content.Rule
	for _, r := range rs {
		if n := len(out); n > 0 && out[n-1].Pos == r.Pos && r.Lo <= out[n-1].Hi+Tolerance {
			out[n-1].Hi = math.Max(out[n-1].Hi, r.Hi)
			continue
		}
		out = append(out, r)
	}
	kept := out[:0]
	for _, r := range out {
		if r.Hi-r.Lo >= LeastRule {
			kept = append(kept, r)
		}
	}
	return kept
}

// A whiteout is a white area painted over what was there before.
type whiteout []content.Fill

func covers(c *content.Canvas) whiteout {
	var out whiteout
	for _, f := range c.Fills {
		if content.White(f.Color) && f.Over > 0 && len(out) < 200 {
			out = append(out, f)
		}
	}
	return out
}

func (w whiteout) hides(i int, r content.Rule) bool {
	for k := range w {
		b := &w[k].Box
		if i >= w[k].Over {
			continue
		}
		// A rule on the very edge is the border of the area, not under it.
		if r.Vertical && r.Pos > b.X0+1 && r.Pos < b.X1-1 && r.Lo >= b.Y0-.5 && r.Hi <= b.Y1+.5 ||
			!r.Vertical && r.Pos > b.Y0+1 && r.Pos < b.Y1-1 && r.Lo >= b.X0-.5 && r.Hi <= b.X1+.5 {
			return true
		}
	}
	return false
}

// shades returns the coloured areas whose edges show and can bound cells. A page's background bounds nothing, an area
// in one of its own colour has no edge, and the shade of a paragraph or a cell's inside ends short of the cell's border.
func shades(c *content.Canvas, f layout.Frame, drawn []content.Rule) []geometry.Rect {
	if len(c.Fills) > maxTableFills {
		return nil
	}
	w, h := f.Size()
	var fs []content.Fill
	for _, x := range c.Fills {
		if b := f.Turned(x.Box); !content.White(x.Color) && !(b.Width() > .95*w && b.Height() > .95*h) {
			fs = append(fs, content.Fill{Box: b, Color: x.Color, Over: x.Over})
		}
	}
	var upright []content.Rule
	for _, r := range drawn {
		if r.Vertical && r.Hi-r.Lo >= LeastRule {
			upright = append(upright, r)
		}
	}
	var out []geometry.Rect
	for i := range fs {
		if !invisible(fs, i) && !within(fs[i].Box, upright) {
			out = append(out, fs[i].Box)
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
		if gap := b.Y0 - a.Y1; gap > Tolerance && gap <= 4*em {
			out = append(out, geometry.NewRect(a.X0, a.Y1, a.X1, b.Y0))
		}
	}
	return out
}

func invisible(fs []content.Fill, i int) bool {
	const tol = .6
	b := fs[i].Box
	for k := range fs {
		o := fs[k].Box
		if k == i || b.Y0 < o.Y0-tol || b.Y1 > o.Y1+tol || b.X0 < o.X0-tol || b.X1 > o.X1+tol {
			continue
		}
		if same := sameColor(fs[i].Color, fs[k].Color); same && (k < i || o.Width()*o.Height() > b.Width()*b.Height()+1) {
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
func within(b geometry.Rect, upright []content.Rule) bool {
	left, right := false, false
	for _, r := range upright {
		if math.Min(r.Hi, b.Y1)-math.Max(r.Lo, b.Y0) < .5*b.Height() {
			continue
		}
		if d := b.X0 - r.Pos; d >= .4 && d <= 10 {
			left = true
		}
		if d := r.Pos - b.X1; d >= .4 && d <= 10 {
			right = true
		}
	}
	return left && right
}

// Dashes takes words of dashes or underscores out as rules, and drops leaders of dots.
func Dashes(words []tabular.Word) (kept []tabular.Word, dashes []content.Rule) {
	kept = words[:0]
	for _, w := range words {
		if n := len(w.Text); n >= 2 && strings.Trim(w.Text, "-_=–—─═") == "" {
			runes := len([]rune(w.Text))
			if runes >= 6 || w.Box.Width() > 4*w.Size {
				y := w.Base
				if strings.Trim(w.Text, "_") != "" {
					y -= .3 * w.Size
				}
				dashes = append(dashes, content.Rule{Vertical: false, Pos: y, Lo: w.Box.X0, Hi: w.Box.X1})
				continue
			}
		}
		if t := strings.TrimRight(w.Text, ".…·"); len(t) < len(w.Text) {
			dots := len([]rune(w.Text[len(t):]))
			if t == "" && dots >= 3 {
				continue
			}
			if t != "" && dots >= 4 {
				all := len([]rune(w.Text))
				w.Box.X1 -= w.Box.Width() * float64(dots) / float64(all) * .8
				w.Text = t
			}
		}
		kept = append(kept, w)
	}
	return kept, dashes
}

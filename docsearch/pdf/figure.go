package pdf

import (
	"slices"
	"sort"

	"github.com/findspot/findspot/docsearch"
)

const (
	figurePixels = 100 // smallest side of an image that counts as a figure
	maxFigures   = 200
)

// figures returns images of at least 100 by 100 pixels and drawings that carry a figure's caption.
func (v *view) figures() []docsearch.Figure {
	type found struct {
		box  rect
		w, h int
	}
	var list []found
	page := rect{0, 0, v.c.w, v.c.h}
	for _, im := range v.c.images {
		b := im.box.clip(page)
		if im.wpx < figurePixels || im.hpx < figurePixels || b.empty() || b.w() < 2 || b.h() < 2 {
			continue
		}
		dup := false
		for _, f := range list {
			if f.box == b {
				dup = true
			}
		}
		if !dup && len(list) < maxFigures {
			list = append(list, found{b, im.wpx, im.hpx})
		}
	}
	sort.SliceStable(list, func(i, j int) bool {
		return list[i].box.y0 < list[j].box.y0 || list[i].box.y0 == list[j].box.y0 && list[i].box.x0 < list[j].box.x0
	})
	out := []docsearch.Figure{}
	for _, f := range list {
		fig := docsearch.Figure{BBox: toBox(f.box), WidthPX: f.w, HeightPX: f.h}
		if c := v.captionFor(f.box, true); c != nil {
			fig.Caption = c.text
			defer func() { c.used = true }() // several images may share a caption
		} else {
			fig.Caption = v.lineBelow(f.box)
		}
		out = append(out, fig)
	}
	for i := range v.captions {
		c := &v.captions[i]
		if !c.figure || c.used || captioned(out, c.text) {
			continue
		}
		if b, ok := v.drawing(c); ok {
			out = append(out, docsearch.Figure{BBox: toBox(b), Caption: c.text})
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].BBox.Y0 < out[j].BBox.Y0 })
	return out
}

func captioned(fs []docsearch.Figure, text string) bool {
	for i := range fs {
		if fs[i].Caption == text {
			return true
		}
	}
	return false
}

// lineBelow is the nearest short line under an image when it is set like a caption: close, and within its width.
func (v *view) lineBelow(b rect) string {
	if b.w() > .9*v.c.w && b.h() > .8*v.c.h {
		return "" // a scanned page
	}
	best, dist := "", 2.5*v.em
	for i := range v.lines {
		l := &v.lines[i]
		if d := l.box.y0 - b.y1; d >= -1 && d < dist && l.box.x0 >= b.x0-2*v.em && l.box.x1 <= b.x1+2*v.em && len(l.text) < 200 {
			best, dist = l.text, d
		}
	}
	return best
}

// drawing grows the lines, fills and curves above (or below) a caption into the box of a figure.
func (v *view) drawing(c *caption) (rect, bool) {
	parts := slices.Clone(v.c.diag)
	for _, r := range v.c.rules {
		if r.vertical {
			parts = append(parts, rect{r.pos, r.lo, r.pos, r.hi})
		} else {
			parts = append(parts, rect{r.lo, r.pos, r.hi, r.pos})
		}
	}
	for _, f := range v.c.fills {
		if !white(f.color) {
			parts = append(parts, f.box)
		}
	}
	if len(parts) < 3 || len(parts) > 50_000 {
		return rect{}, false
	}
	for _, below := range []bool{false, true} {
		ps := parts[:0:0]
		for _, p := range parts {
			if p.h() > .9*v.c.h || v.isUsed(p) {
				continue
			}
			if below && p.y0 >= c.box.y1-2 || !below && p.y1 <= c.box.y0+2 {
				ps = append(ps, p)
			}
		}
		sort.Slice(ps, func(i, j int) bool {
			if below {
				return ps[i].y0 < ps[j].y0
			}
			return ps[i].y1 > ps[j].y1
		})
		b, n, edge := emptyRect, 0, c.box.y0
		if below {
			edge = c.box.y1
		}
		for _, p := range ps {
			gap := edge - p.y1
			if below {
				gap = p.y0 - edge
			}
			if gap > 40 {
				break
			}
			if p.x1 < c.box.x0-100 || p.x0 > c.box.x1+100 {
				continue
			}
			b = b.union(p)
			n++
			if below {
				edge = max(edge, p.y1)
			} else {
				edge = min(edge, p.y0)
			}
		}
		if n >= 3 && b.w() >= 30 && b.h() >= 30 {
			return b.clip(rect{0, 0, v.c.w, v.c.h}), true
		}
	}
	return rect{}, false
}

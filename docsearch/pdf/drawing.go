package pdf

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxParts     = 60_000 // parts of drawings looked at on a page
	drawingCell  = 9.0    // points: parts in one cell, or on its border, are one drawing
	leastParts   = 16     // oblique and curved parts of a drawing without a caption
	leastDrawing = 48.0   // points: smallest side of one
)

// A sketch is lines, areas and curves that lie together.
type sketch struct {
	box      rect
	slantBox rect // of the oblique and curved parts
	slant    int  // how many of them
	spread   int  // cells with one of them in it
	flat     bool // level lines only
}

// drawings returns the figures that are drawn: what stands over a caption, and sketches that are clearly drawings. labels are
// images that may be a part of one.
func (v *view) drawings(have []figure, labels []rect, used map[*caption]bool) []figure {
	parts, slant := v.parts(labels)
	open := slices.ContainsFunc(v.captions, func(c caption) bool { return c.figure && !c.used })
	if len(parts) == 0 || slant < leastParts && !open {
		return nil
	}
	sketches, of := clusterParts(parts, slant, v.c.w, v.c.h)
	inDrawing := make([]rect, 0, len(parts)) // without the rules that stand for themselves
	for i, b := range parts {
		if k := of[i]; k < 0 || !sketches[k].flat || b.w() < .55*v.c.w && !v.inMargin(b) {
			inDrawing = append(inDrawing, b)
		}
	}
	var out []figure
	for i := range v.captions {
		c := &v.captions[i]
		if !c.figure || c.used || used[c] || captioned(have, c.text) || len(out) >= maxFigures {
			continue
		}
		b, ok := v.drawing(c, inDrawing)
		if !ok {
			continue
		}
		for _, k := range sketches { // what the walk from the caption cut through
			if !k.flat && k.box.overlaps(b) && !v.apart(k.box, c) {
				b = b.union(k.box)
			}
		}
		used[c] = true
		out = append(out, figure{box: v.withLabels(b, c), caption: c.text})
	}
	for _, k := range sketches {
		if len(out) >= maxFigures || k.slant < leastParts || k.spread < leastParts/2 || k.slantBox.w() < leastDrawing || k.slantBox.h() < leastDrawing {
			continue
		}
		if k.box.w() > .85*v.c.w && k.box.h() > .85*v.c.h && float64(k.spread) < .1*k.box.w()*k.box.h()/(drawingCell*drawingCell) {
			continue // what decorates a slide
		}
		if v.proseIn(k.box) > .25 || v.inMargin(k.box) {
			continue
		}
		b := v.withLabels(k.box, nil)
		taken := false
		for _, f := range slices.Concat(have, out) {
			c := f.box.clip(b)
			taken = taken || !c.empty() && c.w()*c.h() > .3*math.Min(b.w()*b.h(), f.box.w()*f.box.h())
		}
		if taken {
			continue
		}
		f := figure{box: b}
		if c := v.captionFor(b, true); c != nil {
			f.caption = c.text
			used[c] = true
		} else {
			f.caption = v.lineBelow(b)
		}
		out = append(out, f)
	}
	return out
}

func captioned(fs []figure, text string) bool {
	return slices.ContainsFunc(fs, func(f figure) bool { return f.caption == text })
}

// parts returns the boxes of what is drawn outside of tables: first the slant ones, of which it returns the number.
func (v *view) parts(labels []rect) (parts []rect, slant int) {
	parts = make([]rect, 0, min(len(v.c.diag)+len(v.c.rules)+len(v.c.fills), maxParts))
	add := func(b rect) {
		// A table begins and ends with a rule on its very edge.
		if len(parts) < maxParts && b.h() <= .9*v.c.h && !v.isUsed(rect{b.x0 - 1, b.y0 - 1, b.x1 + 1, b.y1 + 1}) {
			parts = append(parts, b)
		}
	}
	for _, b := range v.c.diag {
		add(b)
	}
	slant = len(parts)
	for _, r := range v.c.rules {
		if r.vertical {
			add(rect{r.pos, r.lo, r.pos, r.hi})
		} else {
			add(rect{r.lo, r.pos, r.hi, r.pos})
		}
	}
	for _, f := range v.c.fills {
		if !white(f.color) && f.box.w()*f.box.h() < .6*v.c.w*v.c.h {
			add(f.box)
		}
	}
	for _, b := range labels {
		add(b)
	}
	return parts, slant
}

// A cellGrid holds a number for each cell of a page, those beyond its edge apart.
type cellGrid struct {
	nx, ny int
	on     []int32 // number plus one, 0 for none
	beyond map[[2]int]int
}

func newCells(w, h float64) *cellGrid {
	g := &cellGrid{beyond: map[[2]int]int{}}
	if nx, ny := w/drawingCell+2, h/drawingCell+2; nx*ny < 1<<16 {
		g.nx, g.ny = int(nx), int(ny)
		g.on = make([]int32, g.nx*g.ny)
	}
	return g
}

// at returns the place of a cell on the page, nil for another.
func (g *cellGrid) at(x, y int) *int32 {
	if x < 0 || y < 0 || x >= g.nx || y >= g.ny {
		return nil
	}
	return &g.on[y*g.nx+x]
}

// clusterParts groups parts that share a cell of a grid. of says for each part in which sketch it is, -1 for none.
func clusterParts(parts []rect, slant int, w, h float64) (out []sketch, of []int) {
	of = make([]int, len(parts))
	set := newSets(len(parts))
	cells := newCells(w, h) // the first part in each
	spread := map[[2]int]bool{}
	budget := 4_000_000
	for i, b := range parts {
		x0, y0 := int(math.Floor(b.x0/drawingCell-.3)), int(math.Floor(b.y0/drawingCell-.3))
		x1, y1 := int(math.Floor(b.x1/drawingCell+.3)), int(math.Floor(b.y1/drawingCell+.3))
		if budget -= (x1 - x0 + 1) * (y1 - y0 + 1); budget < 0 {
			break
		}
		for y := y0; y <= y1; y++ {
			for x := x0; x <= x1; x++ {
				if at := cells.at(x, y); at == nil {
					if k, ok := cells.beyond[[2]int{x, y}]; ok {
						set.join(i, k)
					} else {
						cells.beyond[[2]int{x, y}] = i
					}
				} else if *at != 0 {
					set.join(i, int(*at)-1)
				} else {
					*at = int32(i + 1)
				}
			}
		}
		if i < slant {
			spread[[2]int{int(math.Floor(b.midX() / drawingCell)), int(math.Floor(b.midY() / drawingCell))}] = true
		}
	}
	index := map[int]int{}
	for i, b := range parts {
		root := set.find(i)
		k, ok := index[root]
		if !ok {
			k = len(out)
			index[root] = k
			out = append(out, sketch{box: emptyRect, slantBox: emptyRect, flat: true})
		}
		of[i] = k
		c := &out[k]
		c.box = c.box.union(b)
		c.flat = c.flat && b.h() < thinRule && i >= slant
		if i < slant {
			c.slant++
			c.slantBox = c.slantBox.union(b)
		}
	}
	for at := range spread {
		i, ok := cells.beyond[at]
		if c := cells.at(at[0], at[1]); c != nil {
			i, ok = int(*c)-1, *c != 0
		}
		if ok {
			out[index[set.find(i)]].spread++
		}
	}
	return out, of
}

// prose reports whether a line is running text: long, level, and of the usual size.
func (v *view) prose(l *line) bool {
	return l.dx > .99 && l.box.w() > 18*v.em && l.size > .85*v.em && strings.Count(l.text, " ") >= 5 && len(l.segs) < 3
}

// proseIn is the share of an area that running text takes.
func (v *view) proseIn(b rect) float64 {
	sum := 0.0
	for i := range v.lines {
		l := &v.lines[i]
		if c := l.box.clip(b); !c.empty() && v.prose(l) {
			sum += c.w() * c.h() * 1.2
		}
	}
	return sum / math.Max(b.w()*b.h(), 1)
}

// inMargin reports whether a drawing stands where running heads and feet do.
func (v *view) inMargin(b rect) bool {
	return b.y1 < .1*v.c.h || b.y0 > .92*v.c.h
}

// apart reports whether running text lies between a box and a caption.
func (v *view) apart(b rect, c *caption) bool {
	lo, hi := b.y1, c.box.y0
	if b.midY() > c.box.midY() {
		lo, hi = c.box.y1, b.y0
	}
	for i := range v.lines {
		l := &v.lines[i]
		if l.box.midY() > lo && l.box.midY() < hi && l.box.x0 < b.x1 && l.box.x1 > b.x0 && v.prose(l) && !coversMost(c.box, l.box) {
			return true
		}
	}
	return false
}

// withLabels adds the text that belongs to a drawing: the names of axes, ticks and what is written into it. own is its
// caption, which does not.
func (v *view) withLabels(b rect, own *caption) rect {
	page := rect{0, 0, v.c.w, v.c.h}
	base := b
	reach := math.Min(1.3*v.em, 16)
	for range 2 {
		near := rect{b.x0 - reach, b.y0 - reach, b.x1 + reach, b.y1 + reach}
		for i := range v.lines {
			l := &v.lines[i]
			if !near.overlaps(l.box) || base.has(l.box.midX(), l.box.midY()) && coversMost(b, l.box) || v.prose(l) || v.captionLine(l, own) {
				continue
			}
			inside := base.overlaps(l.box) && base.clip(l.box).w() > .5*l.box.w()
			if utf8.RuneCountInString(l.text) > 60 && !inside {
				continue
			}
			// A line of the text around begins or ends outside; a label stands beside the drawing, or over or beneath it.
			if !inside && (l.box.x0 < base.x0-8*v.em || l.box.x1 > base.x1+8*v.em || l.box.w() > 1.3*base.w() ||
				share(l.box.y0, l.box.y1, base.y0, base.y1) < .8 && share(l.box.x0, l.box.x1, base.x0, base.x1) < .8) {
				continue
			}
			b = b.union(l.box)
		}
	}
	return b.clip(page)
}

// share is the part of [a0, a1] that lies in [b0, b1].
func share(a0, a1, b0, b1 float64) float64 {
	return (math.Min(a1, b1) - math.Max(a0, b0)) / math.Max(a1-a0, 1e-3)
}

// captionLine reports whether a line is one of a caption.
func (v *view) captionLine(l *line, own *caption) bool {
	if own != nil && own.box.has(l.box.midX(), l.box.midY()) {
		return true
	}
	for i := range v.captions {
		if c := &v.captions[i]; c.box.has(l.box.midX(), l.box.midY()) {
			return true
		}
	}
	return false
}

// drawing grows the lines, areas and curves above (or below) a caption into the box of a figure.
func (v *view) drawing(c *caption, parts []rect) (rect, bool) {
	if len(parts) < 3 {
		return rect{}, false
	}
	for _, below := range []bool{false, true} {
		ps := make([]rect, 0, len(parts))
		for _, p := range parts {
			if below && p.y0 >= c.box.y1-2 || !below && p.y1 <= c.box.y0+2 {
				ps = append(ps, p)
			}
		}
		slices.SortFunc(ps, func(a, b rect) int {
			if below {
				return cmp.Compare(a.y0, b.y0)
			}
			return cmp.Compare(b.y1, a.y1)
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
			if n > 0 && gap > 60 || gap > captionReach {
				break
			}
			if p.x1 < c.box.x0-100 || p.x0 > c.box.x1+100 || gap > 12 && v.apart(p, c) {
				continue
			}
			b = b.union(p)
			n++
			if below {
				edge = math.Max(edge, p.y1)
			} else {
				edge = math.Min(edge, p.y0)
			}
		}
		if n >= 3 && b.w() >= 30 && b.h() >= 30 {
			return b.clip(rect{0, 0, v.c.w, v.c.h}), true
		}
	}
	return rect{}, false
}

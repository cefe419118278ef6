package figure

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/pdf/internal/caption"
	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
	"github.com/findspot/findspot/docsearch/pdf/internal/layout"
)

const (
	maxParts     = 60_000 // parts of drawings looked at on a page
	drawingCell  = 9.0    // points: parts in one cell, or on its border, are one drawing
	leastParts   = 16     // oblique and curved parts of a drawing without a caption
	leastDrawing = 48.0   // points: smallest side of one
)

// A sketch is lines, areas and curves that lie together.
type sketch struct {
	box      geometry.Rect
	slantBox geometry.Rect // of the oblique and curved parts
	slant    int           // how many of them
	spread   int           // cells with one of them in it
	flat     bool          // level lines only
}

// drawings returns the figures that are drawn: what stands over a caption, and sketches that are clearly drawings. labels are
// images that may be a part of one.
func (v *figureFinder) drawings(have []Figure, labels []geometry.Rect, used map[*caption.Caption]bool) []Figure {
	parts, slant := v.parts(labels)
	open := slices.ContainsFunc(v.Captions, func(c caption.Caption) bool { return c.Figure && !c.Used })
	if len(parts) == 0 || slant < leastParts && !open {
		return nil
	}
	sketches, of := clusterParts(parts, slant, v.Canvas.Width, v.Canvas.Height)
	inDrawing := make([]geometry.Rect, 0, len(parts)) // without the rules that stand for themselves
	for i, b := range parts {
		if k := of[i]; k < 0 || !sketches[k].flat || b.Width() < .55*v.Canvas.Width && !v.inMargin(b) {
			inDrawing = append(inDrawing, b)
		}
	}
	var out []Figure
	for i := range v.Captions {
		c := &v.Captions[i]
		if !c.Figure || c.Used || used[c] || captioned(have, c.Text) || len(out) >= maxFigures {
			continue
		}
		b, ok := v.drawing(c, inDrawing)
		if !ok {
			continue
		}
		for _, k := range sketches { // what the walk from the caption cut through
			if !k.flat && k.box.Overlaps(b) && !v.apart(k.box, c) {
				b = b.Union(k.box)
			}
		}
		used[c] = true
		out = append(out, Figure{Box: v.withLabels(b, c), caption: c.Text})
	}
	for _, k := range sketches {
		if len(out) >= maxFigures || k.slant < leastParts || k.spread < leastParts/2 || k.slantBox.Width() < leastDrawing || k.slantBox.Height() < leastDrawing {
			continue
		}
		if k.box.Width() > .85*v.Canvas.Width && k.box.Height() > .85*v.Canvas.Height && float64(k.spread) < .1*k.box.Width()*k.box.Height()/(drawingCell*drawingCell) {
			continue // what decorates a slide
		}
		if v.proseIn(k.box) > .25 || v.inMargin(k.box) {
			continue
		}
		b := v.withLabels(k.box, nil)
		taken := false
		for _, f := range slices.Concat(have, out) {
			c := f.Box.Intersect(b)
			taken = taken || !c.IsEmpty() && c.Width()*c.Height() > .3*math.Min(b.Width()*b.Height(), f.Box.Width()*f.Box.Height())
		}
		if taken {
			continue
		}
		f := Figure{Box: b}
		if c := v.CaptionFor(b, true); c != nil {
			f.caption = c.Text
			used[c] = true
		} else {
			f.caption = v.lineBelow(b)
		}
		out = append(out, f)
	}
	return out
}

func captioned(fs []Figure, text string) bool {
	return slices.ContainsFunc(fs, func(f Figure) bool { return f.caption == text })
}

// parts returns the boxes of what is drawn outside of tables: first the slant ones, of which it returns the number.
func (v *figureFinder) parts(labels []geometry.Rect) (parts []geometry.Rect, slant int) {
	parts = make([]geometry.Rect, 0, min(len(v.Canvas.Diagonals)+len(v.Canvas.Rules)+len(v.Canvas.Fills), maxParts))
	add := func(b geometry.Rect) {
		// A table begins and ends with a rule on its very edge.
		if len(parts) < maxParts && b.Height() <= .9*v.Canvas.Height && !geometry.NewRect(b.X0-1, b.Y0-1, b.X1+1, b.Y1+1).OverlapsAny(v.tables) {
			parts = append(parts, b)
		}
	}
	for _, b := range v.Canvas.Diagonals {
		add(b)
	}
	slant = len(parts)
	for _, r := range v.Canvas.Rules {
		if r.Vertical {
			add(geometry.NewRect(r.Pos, r.Lo, r.Pos, r.Hi))
		} else {
			add(geometry.NewRect(r.Lo, r.Pos, r.Hi, r.Pos))
		}
	}
	for _, f := range v.Canvas.Fills {
		if !content.White(f.Color) && f.Box.Width()*f.Box.Height() < .6*v.Canvas.Width*v.Canvas.Height {
			add(f.Box)
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
func clusterParts(parts []geometry.Rect, slant int, w, h float64) (out []sketch, of []int) {
	of = make([]int, len(parts))
	set := geometry.NewSets(len(parts))
	cells := newCells(w, h) // the first part in each
	spread := map[[2]int]bool{}
	budget := 4_000_000
	for i, b := range parts {
		x0, y0 := int(math.Floor(b.X0/drawingCell-.3)), int(math.Floor(b.Y0/drawingCell-.3))
		x1, y1 := int(math.Floor(b.X1/drawingCell+.3)), int(math.Floor(b.Y1/drawingCell+.3))
		if budget -= (x1 - x0 + 1) * (y1 - y0 + 1); budget < 0 {
			break
		}
		for y := y0; y <= y1; y++ {
			for x := x0; x <= x1; x++ {
				if at := cells.at(x, y); at == nil {
					if k, ok := cells.beyond[[2]int{x, y}]; ok {
						set.Join(i, k)
					} else {
						cells.beyond[[2]int{x, y}] = i
					}
				} else if *at != 0 {
					set.Join(i, int(*at)-1)
				} else {
					*at = int32(i + 1)
				}
			}
		}
		if i < slant {
			spread[[2]int{int(math.Floor(b.MidX() / drawingCell)), int(math.Floor(b.MidY() / drawingCell))}] = true
		}
	}
	index := map[int]int{}
	for i, b := range parts {
		root := set.Find(i)
		k, ok := index[root]
		if !ok {
			k = len(out)
			index[root] = k
			out = append(out, sketch{box: geometry.Empty(), slantBox: geometry.Empty(), flat: true})
		}
		of[i] = k
		c := &out[k]
		c.box = c.box.Union(b)
		c.flat = c.flat && b.Height() < content.ThinRule && i >= slant
		if i < slant {
			c.slant++
			c.slantBox = c.slantBox.Union(b)
		}
	}
	for at := range spread {
		i, ok := cells.beyond[at]
		if c := cells.at(at[0], at[1]); c != nil {
			i, ok = int(*c)-1, *c != 0
		}
		if ok {
			out[index[set.Find(i)]].spread++
		}
	}
	return out, of
}

// prose reports whether a line is running text: long, level, and of the usual size.
func (v *figureFinder) prose(l *layout.Line) bool {
	return l.Dx > .99 && l.Box.Width() > 18*v.Em && l.Size > .85*v.Em && strings.Count(l.Text, " ") >= 5 && len(l.Segs) < 3
}

// proseIn is the share of an area that running text takes.
func (v *figureFinder) proseIn(b geometry.Rect) float64 {
	sum := 0.0
	for i := range v.Lines {
		l := &v.Lines[i]
		if c := l.Box.Intersect(b); !c.IsEmpty() && v.prose(l) {
			sum += c.Width() * c.Height() * 1.2
		}
	}
	return sum / math.Max(b.Width()*b.Height(), 1)
}

// inMargin reports whether a drawing stands where running heads and feet do.
func (v *figureFinder) inMargin(b geometry.Rect) bool {
	return b.Y1 < .1*v.Canvas.Height || b.Y0 > .92*v.Canvas.Height
}

// apart reports whether running text lies between a box and a caption.
func (v *figureFinder) apart(b geometry.Rect, c *caption.Caption) bool {
	lo, hi := b.Y1, c.Box.Y0
	if b.MidY() > c.Box.MidY() {
		lo, hi = c.Box.Y1, b.Y0
	}
	for i := range v.Lines {
		l := &v.Lines[i]
		if l.Box.MidY() > lo && l.Box.MidY() < hi && l.Box.X0 < b.X1 && l.Box.X1 > b.X0 && v.prose(l) && !coversMost(c.Box, l.Box) {
			return true
		}
	}
	return false
}

// withLabels adds the text that belongs to a drawing: the names of axes, ticks and what is written into it. own is its
// caption, which does not.
func (v *figureFinder) withLabels(b geometry.Rect, own *caption.Caption) geometry.Rect {
	page := geometry.NewRect(0, 0, v.Canvas.Width, v.Canvas.Height)
	base := b
	reach := math.Min(1.3*v.Em, 16)
	for range 2 {
		near := geometry.NewRect(b.X0-reach, b.Y0-reach, b.X1+reach, b.Y1+reach)
		for i := range v.Lines {
			l := &v.Lines[i]
			if !near.Overlaps(l.Box) || base.Has(l.Box.MidX(), l.Box.MidY()) && coversMost(b, l.Box) || v.prose(l) || v.captionLine(l, own) {
				continue
			}
			inside := base.Overlaps(l.Box) && base.Intersect(l.Box).Width() > .5*l.Box.Width()
			if utf8.RuneCountInString(l.Text) > 60 && !inside {
				continue
			}
			// A line of the text around begins or ends outside; a label stands beside the drawing, or over or beneath it.
			if !inside && (l.Box.X0 < base.X0-8*v.Em || l.Box.X1 > base.X1+8*v.Em || l.Box.Width() > 1.3*base.Width() ||
				share(l.Box.Y0, l.Box.Y1, base.Y0, base.Y1) < .8 && share(l.Box.X0, l.Box.X1, base.X0, base.X1) < .8) {
				continue
			}
			b = b.Union(l.Box)
		}
	}
	return b.Intersect(page)
}

// share is the part of [a0, a1] that lies in [b0, b1].
func share(a0, a1, b0, b1 float64) float64 {
	return (math.Min(a1, b1) - math.Max(a0, b0)) / math.Max(a1-a0, 1e-3)
}

// captionLine reports whether a line is one of a caption.
func (v *figureFinder) captionLine(l *layout.Line, own *caption.Caption) bool {
	if own != nil && own.Box.Has(l.Box.MidX(), l.Box.MidY()) {
		return true
	}
	for i := range v.Captions {
		if c := &v.Captions[i]; c.Box.Has(l.Box.MidX(), l.Box.MidY()) {
			return true
		}
	}
	return false
}

// drawing grows the lines, areas and curves above (or below) a caption into the box of a figure.
func (v *figureFinder) drawing(c *caption.Caption, parts []geometry.Rect) (geometry.Rect, bool) {
	if len(parts) < 3 {
		return geometry.Rect{}, false
	}
	for _, below := range []bool{false, true} {
		ps := make([]geometry.Rect, 0, len(parts))
		for _, p := range parts {
			if below && p.Y0 >= c.Box.Y1-2 || !below && p.Y1 <= c.Box.Y0+2 {
				ps = append(ps, p)
			}
		}
		slices.SortFunc(ps, func(a, b geometry.Rect) int {
			if below {
				return cmp.Compare(a.Y0, b.Y0)
			}
			return cmp.Compare(b.Y1, a.Y1)
		})
		b, n, edge := geometry.Empty(), 0, c.Box.Y0
		if below {
			edge = c.Box.Y1
		}
		for _, p := range ps {
			gap := edge - p.Y1
			if below {
				gap = p.Y0 - edge
			}
			if n > 0 && gap > 60 || gap > captionReach {
				break
			}
			if p.X1 < c.Box.X0-100 || p.X0 > c.Box.X1+100 || gap > 12 && v.apart(p, c) {
				continue
			}
			b = b.Union(p)
			n++
			if below {
				edge = math.Max(edge, p.Y1)
			} else {
				edge = math.Min(edge, p.Y0)
			}
		}
		if n >= 3 && b.Width() >= 30 && b.Height() >= 30 {
			return b.Intersect(geometry.NewRect(0, 0, v.Canvas.Width, v.Canvas.Height)), true
		}
	}
	return geometry.Rect{}, false
}

package layout

import (
	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
)

// A Frame turns the page so that most of its text runs to the right. Tables on their side are then read like others.
type Frame struct {
	Turn int     // quarter turns clockwise that the page is turned by
	w, h float64 // size of the page as shown
}

const turnedGlyphs = 150 // characters in another direction than most that may be a table on its side

// NewFrame turns a page by quarter turns clockwise.
func NewFrame(turn int, c *content.Canvas) Frame { return Frame{turn, c.Width, c.Height} }

// Frames are the turns of a page: first that of most characters, then others with characters enough for a table.
func Frames(c *content.Canvas) []Frame {
	var n [4]int
	for i := range c.Glyphs {
		g := &c.Glyphs[i]
		switch {
		case g.Vertical || g.Text == "":
		case g.Dx > .99:
			n[0]++
		case g.Dy < -.99:
			n[1]++
		case g.Dx < -.99:
			n[2]++
		case g.Dy > .99:
			n[3]++
		}
	}
	most := 0
	for t := 1; t < 4; t++ {
		if n[t] > n[most] {
			most = t
		}
	}
	out := []Frame{{most, c.Width, c.Height}}
	for t := range 4 {
		if t != most && n[t] >= turnedGlyphs {
			out = append(out, Frame{t, c.Width, c.Height})
		}
	}
	return out
}

// Size is the page's width and height after the turn.
func (f Frame) Size() (w, h float64) {
	if f.Turn%2 == 1 {
		return f.h, f.w
	}
	return f.w, f.h
}

// Along reports whether text of a direction runs to the right after the turn.
func (f Frame) Along(dx, dy float64) bool {
	switch f.Turn {
	case 1:
		return dy < -.99
	case 2:
		return dx < -.99
	case 3:
		return dy > .99
	}
	return dx > .99
}

// Point is a point of the page after the turn.
func (f Frame) Point(x, y float64) (float64, float64) {
	switch f.Turn {
	case 1:
		return f.h - y, x
	case 2:
		return f.w - x, f.h - y
	case 3:
		return y, f.w - x
	}
	return x, y
}

// Turned is a box of the page after the turn.
func (f Frame) Turned(r geometry.Rect) geometry.Rect {
	if f.Turn == 0 {
		return r
	}
	x0, y0 := f.Point(r.X0, r.Y0)
	x1, y1 := f.Point(r.X1, r.Y1)
	return geometry.Empty().Add(x0, y0).Add(x1, y1)
}

// Shown is a box of the frame back on the page.
func (f Frame) Shown(r geometry.Rect) geometry.Rect {
	if f.Turn == 0 {
		return r
	}
	w, h := f.Size()
	back := Frame{(4 - f.Turn) % 4, w, h}
	return back.Turned(r)
}

// Rule is a rule of the page after the turn.
func (f Frame) Rule(r content.Rule) content.Rule {
	if f.Turn == 0 {
		return r
	}
	b := geometry.NewRect(r.Lo, r.Pos, r.Hi, r.Pos)
	if r.Vertical {
		b = geometry.NewRect(r.Pos, r.Lo, r.Pos, r.Hi)
	}
	b = f.Turned(b)
	if r.Vertical != (f.Turn%2 == 1) {
		return content.Rule{Vertical: true, Pos: b.X0, Lo: b.Y0, Hi: b.Y1}
	}
	return content.Rule{Vertical: false, Pos: b.Y0, Lo: b.X0, Hi: b.X1}
}

// Turn is the number of quarter turns after which a line runs to the right; not ok for slanted and vertical lines.
func Turn(l *Line) (turns int, ok bool) {
	g := &l.Segs[0].Glyphs[0]
	if g.Vertical {
		return 0, false
	}
	for t := range 4 {
		if (Frame{Turn: t}).Along(g.Dx, g.Dy) {
			return t, true
		}
	}
	return 0, false
}

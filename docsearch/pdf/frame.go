package pdf

import "github.com/findspot/findspot/docsearch/pdf/internal/geometry"

// A frame turns the page so that most of its text runs to the right. Tables on their side are then read like others.
type frame struct {
	turn int     // quarter turns clockwise that the page is turned by
	w, h float64 // size of the page as shown
}

const turnedGlyphs = 150 // characters in another direction than most that may be a table on its side

// frames are the turns of a page: first that of most characters, then others with characters enough for a table.
func frames(c *canvas) []frame {
	var n [4]int
	for i := range c.glyphs {
		g := &c.glyphs[i]
		switch {
		case g.vertical || g.text == "":
		case g.dx > .99:
			n[0]++
		case g.dy < -.99:
			n[1]++
		case g.dx < -.99:
			n[2]++
		case g.dy > .99:
			n[3]++
		}
	}
	most := 0
	for t := 1; t < 4; t++ {
		if n[t] > n[most] {
			most = t
		}
	}
	out := []frame{{most, c.w, c.h}}
	for t := range 4 {
		if t != most && n[t] >= turnedGlyphs {
			out = append(out, frame{t, c.w, c.h})
		}
	}
	return out
}

// size is the page's width and height after the turn.
func (f frame) size() (w, h float64) {
	if f.turn%2 == 1 {
		return f.h, f.w
	}
	return f.w, f.h
}

// along reports whether text of a direction runs to the right after the turn.
func (f frame) along(dx, dy float64) bool {
	switch f.turn {
	case 1:
		return dy < -.99
	case 2:
		return dx < -.99
	case 3:
		return dy > .99
	}
	return dx > .99
}

func (f frame) point(x, y float64) (float64, float64) {
	switch f.turn {
	case 1:
		return f.h - y, x
	case 2:
		return f.w - x, f.h - y
	case 3:
		return y, f.w - x
	}
	return x, y
}

// turned is a box after the turn, shown the same box back on the page.
func (f frame) turned(r geometry.Rect) geometry.Rect {
	if f.turn == 0 {
		return r
	}
	x0, y0 := f.point(r.X0, r.Y0)
	x1, y1 := f.point(r.X1, r.Y1)
	return geometry.Empty.Add(x0, y0).Add(x1, y1)
}

func (f frame) shown(r geometry.Rect) geometry.Rect {
	if f.turn == 0 {
		return r
	}
	w, h := f.size()
	back := frame{(4 - f.turn) % 4, w, h}
	return back.turned(r)
}

func (f frame) rule(r rule) rule {
	if f.turn == 0 {
		return r
	}
	b := geometry.NewRect(r.lo, r.pos, r.hi, r.pos)
	if r.vertical {
		b = geometry.NewRect(r.pos, r.lo, r.pos, r.hi)
	}
	b = f.turned(b)
	if r.vertical != (f.turn%2 == 1) {
		return rule{true, b.X0, b.Y0, b.Y1}
	}
	return rule{false, b.Y0, b.X0, b.X1}
}

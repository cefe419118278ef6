package content

import (
	"github.com/findspot/findspot/docsearch/pdf/internal/font"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
)

// Extent is where the glyph begins and ends along the writing direction.
func (g *Glyph) Extent() (lo, hi float64) {
	a, b := g.Dx*g.X+g.Dy*g.Y, g.Dx*g.EndX+g.Dy*g.EndY
	return min(a, b), max(a, b)
}

// A Glyph is one character shown on a page. Points are on the page as shown.
type Glyph struct {
	Text       string
	X, Y       float64 // where it starts, on the baseline
	EndX, EndY float64 // where it ends
	Dx, Dy     float64 // unit vector of the writing direction
	Size       float64 // height of an em
	Font       *font.Font
	Vertical   bool
	Begins     bool // the first glyph after a text object began
	Field      bool // of a form field
}

// A Canvas is what the content of one page puts on it.
type Canvas struct {
	Width, Height float64
	Glyphs        []Glyph
	Images        []Image
	Rules         []Rule
	Fills         []Fill
	Diagonals     []geometry.Rect // boxes of curves and oblique strokes
}

// Advance is the advance along the line.
func (g *Glyph) Advance() float64 { return g.Dx*(g.EndX-g.X) + g.Dy*(g.EndY-g.Y) }

// Gap is the gap from the end of p to the start of g.
func (g *Glyph) Gap(p *Glyph) float64 { return g.Dx*(g.X-p.EndX) + g.Dy*(g.Y-p.EndY) }

// Box is the glyph's box from a fixed ascent and descent; boxes stated in fonts are not to be trusted.
func (g *Glyph) Box() geometry.Rect {
	if g.Dx == 1 && g.Dy == 0 && !g.Vertical { // nearly all text
		return geometry.NewRect(min(g.X, g.EndX), min(g.Y, g.EndY)-.75*g.Size, max(g.X, g.EndX), max(g.Y, g.EndY)+.22*g.Size)
	}
	ux, uy := g.Dy, -g.Dx // up on the page as shown
	if g.Vertical {
		ux, uy = .5, 0
		r := geometry.Empty()
		return r.Add(g.X, g.Y).Add(g.X+g.Size, g.Y).Add(g.EndX, g.EndY).Add(g.EndX+g.Size, g.EndY)
	}
	a, d := .75*g.Size, -.22*g.Size
	r := geometry.Empty()
	return r.Add(g.X+ux*a, g.Y+uy*a).Add(g.X+ux*d, g.Y+uy*d).Add(g.EndX+ux*a, g.EndY+uy*a).Add(g.EndX+ux*d, g.EndY+uy*d)
}

// PathCount is how many lines, areas and curves are drawn.
func (c *Canvas) PathCount() int { return len(c.Rules) + len(c.Fills) + len(c.Diagonals) }

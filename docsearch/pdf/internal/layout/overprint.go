package layout

import (
	"math"

	"github.com/findspot/findspot/docsearch/pdf/internal/content"
)

// An overprint finds text that is drawn twice in one place, or a hair's breadth apart, to look bold: glyph by glyph, word by
// word or line by line.
type overprint struct {
	follow int  // the glyph before is a copy of this one; -1 for none
	object bool // a copy that began a text object was dropped
	begun  bool
}

const (
	overprintNear  = .1 // ems
	overprintClose = 3  // glyphs back that are always compared
	overprintFar   = 300
)

// drop empties glyph i and reports true when it is a copy. last is the glyph before it that counts.
func (o *overprint) drop(glyphs []content.Glyph, i int, last *content.Glyph) bool {
	if !o.begun {
		o.begun, o.follow = true, -1
	}
	g := &glyphs[i]
	copyOf := -1
	if o.follow >= 0 {
		k := o.follow + 1
		for k < i && glyphs[k].Text == "" {
			k++
		}
		if k < i && overprints(g, &glyphs[k]) {
			copyOf = k
		}
	}
	near := overprintNear * g.Size
	for k := i - 1; copyOf < 0 && k >= 0 && k >= i-overprintClose; k-- {
		if d := g.X - glyphs[k].X; d < near && d > -near && overprints(g, &glyphs[k]) {
			copyOf = k
		}
	}
	if copyOf < 0 && last != nil && (g.Gap(last) < -overprintNear*g.Size || math.Abs(g.Y-last.Y)+math.Abs(g.X-last.X) > 2*g.Size) {
		for k := i - 1 - overprintClose; k >= 0 && k >= i-overprintFar; k-- {
			if d := g.X - glyphs[k].X; d < near && d > -near && overprints(g, &glyphs[k]) {
				copyOf = k
				break
			}
		}
	}
	o.follow = copyOf
	if copyOf < 0 {
		g.Begins = g.Begins || o.object
		o.object = false
		return false
	}
	o.object = o.object || g.Begins
	g.Text = ""
	return true
}

// overprints reports whether g is p drawn again.
func overprints(g *content.Glyph, p *content.Glyph) bool {
	near := overprintNear * g.Size
	return math.Abs(g.X-p.X) < near && math.Abs(g.Y-p.Y) < near && math.Abs(g.Size-p.Size) < near && g.Text == p.Text && g.Text != ""
}

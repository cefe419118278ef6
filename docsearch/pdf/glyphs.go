package pdf

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
	"github.com/findspot/findspot/docsearch/pdf/internal/layout"
)

// maxBidi bounds the characters of a piece of a line that are matched one by one, out of order.
const maxBidi = 4000

// glyphBoxes says where the characters of the page's text stand. It does not know how the layout came to its text, it finds
// the glyphs again in it: line by line, piece by piece, and within a piece in a row; where a glyph's text was changed on the
// way, the next glyph that is found sets it right.
func glyphBoxes(text string, lines []layout.Line, w, h float64) *extract.Glyphs {
	out := extract.NewGlyphs(w, h)
	n := 0
	for i := range lines {
		for k := range lines[i].Segs {
			n += len(lines[i].Segs[k].Glyphs) + 1
		}
	}
	out.Grow(n)
	at := 0
	for i := range lines {
		l := &lines[i]
		if strings.TrimSpace(l.Text) == "" {
			continue
		}
		if !strings.HasPrefix(text[at:], l.Text) {
			k := strings.Index(text[at:], l.Text)
			if k < 0 {
				continue
			}
			at += k
		}
		locateLine(out, text[:at+len(l.Text)], at, l)
		at += len(l.Text)
	}
	return out
}

// locateLine places the glyphs of a line whose text is text[at:].
func locateLine(out *extract.Glyphs, text string, at int, l *layout.Line) {
	for i := range l.Segs {
		s := &l.Segs[i]
		piece := strings.TrimRightFunc(s.Text, unicode.IsSpace) // as its line is trimmed
		if piece == "" {
			continue
		}
		k := strings.Index(text[at:], piece)
		if k < 0 {
			continue
		}
		at += k
		if hasRTL(piece) {
			locateBidi(out, text[at:at+len(piece)], at, s)
		} else {
			locateRow(out, text[at:at+len(piece)], at, s)
		}
		at += len(piece)
		out.Break(at)
	}
}

func hasRTL(s string) bool {
	for i := range len(s) {
		if s[i] >= 0xD6 { // the first byte of U+0590
			return strings.ContainsFunc(s[i:], layout.IsRTL)
		}
	}
	return false
}

// locateRow places the glyphs of a piece that runs in the order of its glyphs.
func locateRow(out *extract.Glyphs, piece string, base int, s *layout.Segment) {
	const window = 12 // bytes that a changed glyph may differ by
	at := 0
	for i := range s.Glyphs {
		g := &s.Glyphs[i]
		if g.Text == "" || g.Text == " " {
			continue
		}
		if at >= len(piece) {
			return
		}
		if !strings.HasPrefix(piece[at:], g.Text) {
			k := strings.Index(piece[at:min(len(piece), at+window+len(g.Text))], g.Text)
			if k < 0 {
				continue
			}
			at += k
		}
		out.Add(base+at, boxOf(g.Box()))
		at += len(g.Text)
	}
}

// locateBidi places the glyphs of a piece with right-to-left text: each character takes the nearest glyph that shows it,
// from where the last one stood.
func locateBidi(out *extract.Glyphs, piece string, base int, s *layout.Segment) {
	type shown struct {
		glyph int
		used  bool
	}
	chars := map[rune][]shown{}
	n := 0
	for i := range s.Glyphs {
		for _, r := range s.Glyphs[i].Text {
			chars[r] = append(chars[r], shown{glyph: i})
			n++
		}
	}
	if n > maxBidi {
		out.Add(base, boxOf(s.Box))
		return
	}
	var x, y float64
	last := -1
	for at, r := range piece {
		if r == ' ' {
			continue
		}
		list := chars[r]
		if list == nil {
			list = chars[layout.Mirror(r)]
		}
		best, dist := -1, math.Inf(1)
		for k := range list {
			if list[k].used {
				continue
			}
			b := s.Glyphs[list[k].glyph].Box()
			d := math.Hypot(b.MidX()-x, b.MidY()-y)
			if last < 0 { // the first one: that which stands outermost
				d = -b.X1
				if !layout.IsRTL(r) && utf8.RuneLen(r) == 1 {
					d = 0
				}
			}
			if d < dist {
				best, dist = k, d
			}
		}
		if best < 0 {
			continue
		}
		list[best].used = true
		if g := list[best].glyph; g != last {
			b := s.Glyphs[g].Box()
			x, y, last = b.MidX(), b.MidY(), g
			out.Add(base+at, boxOf(b))
		}
	}
}

// boxOf is the box as it is; users of tables and figures get it rounded.
func boxOf(r geometry.Rect) extract.Box {
	return extract.Box{X0: r.X0, Y0: r.Y0, X1: r.X1, Y1: r.Y1}
}

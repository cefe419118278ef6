package layout

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lines joins segments that go on along the same baseline into lines. The lines use the memory of m.
func Lines(segs []Segment, m *Memory) []Line {
	out := m.lines[:0]
	for i := range segs {
		s := &segs[i]
		if n := len(out); n > 0 && (joins(&segs[i-1], s) || (out[n-1].RTL || s.rtl) && joinsLeft(&segs[i-1], s)) {
			l := &out[n-1]
			l.RTL = l.RTL || s.rtl
			l.Segs = l.Segs[:len(l.Segs)+1]
			l.Box = l.Box.Union(s.Box)
			if s.Size > l.Size {
				l.Size = s.Size
			}
			continue
		}
		out = append(out, Line{Segs: segs[i : i+1], Text: s.Text, Box: s.Box, Base: s.Base, Size: s.Size, Font: s.font, block: s.block, Dx: s.dx, RTL: s.rtl})
	}
	for i := range out {
		l := &out[i]
		if len(l.Segs) > 1 {
			b := append(m.text[:0], l.Text...)
			for k := range l.Segs[1:] {
				t := l.Segs[k+1].Text
				if r, _ := utf8.DecodeLastRune(b); !unicode.IsSpace(r) && !StartsSpace(t) {
					b = append(b, ' ')
				}
				b = append(b, t...)
			}
			l.Text, m.text = string(b), b
		}
		l.Text = strings.TrimRightFunc(l.Text, unicode.IsSpace)
	}
	m.lines = out
	return out
}

// joins reports whether b follows a on the same baseline.
func joins(a, b *Segment) bool {
	if a.dx*b.dx+a.dy*b.dy < .999 || a.Glyphs[0].Vertical || b.Glyphs[0].Vertical {
		return false
	}
	p, q := &a.Glyphs[len(a.Glyphs)-1], &b.Glyphs[0]
	dx, dy := q.X-p.EndX, q.Y-p.EndY
	along := q.Dx*dx + q.Dy*dy
	off := math.Abs(-q.Dy*dx + q.Dx*dy)
	slack := .15
	if p.Field != q.Field { // a value stands somewhere in its box
		slack = .6
	}
	return along > 0 && off < slack*math.Max(p.Size, q.Size)
}

// joinsLeft reports whether s goes on to the left of last in a line of right-to-left text, as the next cell of a table does.
func joinsLeft(last, s *Segment) bool {
	if !sameBaseline(last, s) || s.Glyphs[0].Vertical || s.Glyphs[0].Field != last.Glyphs[0].Field {
		return false
	}
	lo, _ := last.extent()
	_, hi := s.extent()
	return hi < lo
}

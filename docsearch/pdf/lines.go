package pdf

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// joinLines appends a line to running text; a word divided at the end of the first is put together.
func joinLines(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	hyphen, size := utf8.DecodeLastRuneInString(a)
	if hyphen == '-' || hyphen == 0x2010 || hyphen == 0xAD {
		before, _ := utf8.DecodeLastRuneInString(a[:len(a)-size])
		after, _ := utf8.DecodeRuneInString(b)
		if unicode.IsLetter(before) && unicode.IsLower(after) {
			return a[:len(a)-size] + b
		}
	}
	return a + " " + b
}

// layoutLines joins segments that go on along the same baseline into lines. The lines use the memory of m.
func layoutLines(segs []segment, m *layoutMemory) []line {
	out := m.lines[:0]
	for i := range segs {
		s := &segs[i]
		if n := len(out); n > 0 && (joins(&segs[i-1], s) || (out[n-1].rtl || s.rtl) && joinsLeft(&segs[i-1], s)) {
			l := &out[n-1]
			l.rtl = l.rtl || s.rtl
			l.segs = l.segs[:len(l.segs)+1]
			l.box = l.box.Union(s.box)
			if s.size > l.size {
				l.size = s.size
			}
			continue
		}
		out = append(out, line{segs: segs[i : i+1], text: s.text, box: s.box, base: s.base, size: s.size, font: s.font, block: s.block, dx: s.dx, rtl: s.rtl})
	}
	for i := range out {
		l := &out[i]
		if len(l.segs) > 1 {
			b := append(m.text[:0], l.text...)
			for k := range l.segs[1:] {
				t := l.segs[k+1].text
				if r, _ := utf8.DecodeLastRune(b); !unicode.IsSpace(r) && !startsSpace(t) {
					b = append(b, ' ')
				}
				b = append(b, t...)
			}
			l.text, m.text = string(b), b
		}
		l.text = strings.TrimRightFunc(l.text, unicode.IsSpace)
	}
	m.lines = out
	return out
}

// joins reports whether b follows a on the same baseline.
func joins(a, b *segment) bool {
	if a.dx*b.dx+a.dy*b.dy < .999 || a.glyphs[0].Vertical || b.glyphs[0].Vertical {
		return false
	}
	p, q := &a.glyphs[len(a.glyphs)-1], &b.glyphs[0]
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
func joinsLeft(last, s *segment) bool {
	if !sameBaseline(last, s) || s.glyphs[0].Vertical || s.glyphs[0].Field != last.glyphs[0].Field {
		return false
	}
	lo, _ := last.extent()
	_, hi := s.extent()
	return hi < lo
}

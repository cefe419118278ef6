package pdf

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/pdf/internal/content"
)

// Raised and lowered signs that stand one above the other on a letter run back to where they began, and there the layout
// ends a line: N with (1) over ID is the line "N (1)" and the line "ID = ...". The raw text keeps what was found; here the
// pieces become one line again, so that the letter has an exponent and an index.

// scriptSize is how large raised and lowered signs are at most, of the letters that they stand at.
const scriptSize = .86

// joinStacks puts the pieces of such lines together.
func (w *writer) joinStacks() {
	out := w.lines[:0]
	for i := range w.lines {
		m := w.lines[i]
		if n := len(out); n > 0 && m.kind == kindText && out[n-1].kind == kindText {
			a := out[n-1].l
			if from, ok := stacked(a, m.l); ok {
				out[n-1] = out[n-1].with(stack(a, m.l, from), m.text)
				continue
			}
			if out[n-1].stacked && follows(a, m.l) {
				l := *a
				l.segs = slices.Concat(a.segs, m.l.segs)
				l.box = l.box.Union(m.l.box)
				out[n-1] = out[n-1].with(&l, m.text)
				continue
			}
		}
		out = append(out, m)
	}
	w.lines = out
}

// with is a line with another one joined to it.
func (m mline) with(l *line, text string) mline {
	m.text += " " + text
	l.text = m.text
	m.l, m.stacked = l, true
	return m
}

// follows reports whether b goes on to the right of a on its baseline.
func follows(a, b *line) bool {
	gap := b.box.X0 - a.box.X1
	return b.dx > .99 && math.Abs(a.size-b.size) < .1*a.size && math.Abs(stackBase(a, b)-stackBase(b, a)) < .1*a.size && gap > -.1*a.size && gap < 2*a.size
}

// scriptAt is +1 for a raised glyph, -1 for a lowered one, and 0 for one that is neither beside letters of the size em on base.
func scriptAt(g *content.Glyph, base, em float64) int {
	if g.Size >= scriptSize*em {
		return 0
	}
	switch off := base - g.Y; {
	case off > .15*em && off < .9*em:
		return 1
	case off < -.06*em && off > -.9*em:
		return -1
	}
	return 0
}

// stackBase is the baseline of the letters of a; of b where a has none. Signs such as that of a sum hang below their own.
func stackBase(a, b *line) float64 {
	for _, l := range [...]*line{a, b} {
		for i := range l.segs {
			for k := range l.segs[i].glyphs {
				g := &l.segs[i].glyphs[k]
				if r, _ := utf8.DecodeRuneInString(g.Text); g.Size > .9*a.size && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
					return g.Y
				}
			}
		}
	}
	return baseline(a)
}

// stacked reports whether b begins with signs that stand under or over those that a ends with, and returns the number of
// the glyph in the last segment of a with which those begin.
func stacked(a, b *line) (from int, ok bool) {
	em := a.size
	if a.dx < .99 || b.dx < .99 || a.rtl || b.rtl || b.box.X0 > a.box.X1+.1*em || b.box.X1 < a.box.X0 || math.Abs(a.base-b.base) > em {
		return 0, false
	}
	glyphs := a.segs[len(a.segs)-1].glyphs
	first := &b.segs[0].glyphs[0]
	if g := &glyphs[len(glyphs)-1]; g.Text == vecAccent && b.size > .9*em { // an arrow, and the letter beneath it
		return len(glyphs), math.Abs(g.X-first.X) < .7*em && math.Abs(g.Y-first.Y) < .6*em
	}
	base := stackBase(a, b)
	below := scriptAt(first, base, em)
	if below == 0 || b.size >= scriptSize*em && math.Abs(stackBase(b, a)-base) > .15*em {
		return 0, false
	}
	from = len(glyphs)
	for from > 0 && (scriptAt(&glyphs[from-1], base, em) == -below || strings.TrimSpace(glyphs[from-1].Text) == "") {
		from--
	}
	for from < len(glyphs) && strings.TrimSpace(glyphs[from].Text) == "" {
		from++
	}
	if from == 0 || from == len(glyphs) || math.Abs(glyphs[from].X-first.X) > .5*em {
		return 0, false
	}
	return from, true
}

// stack joins b to a. Blanks that only bridge the room that the other sign takes are left out.
func stack(a, b *line, from int) *line {
	l := *a
	last, first := &a.segs[len(a.segs)-1], &b.segs[0]
	base, em := stackBase(a, b), a.size
	s := *last
	s.base, l.base = base, base
	n := len(last.glyphs)
	s.glyphs = slices.Concat(last.glyphs, first.glyphs)
	s.spaces = slices.DeleteFunc(slices.Clone(last.spaces), func(k int) bool { return k == from || k >= n })
	end := last.glyphs[n-1].EndX
	script := true
	for k := range first.glyphs {
		g := &first.glyphs[k]
		blank := slices.Contains(first.spaces, k)
		if script && scriptAt(g, base, em) == 0 {
			script = false
			blank = blank && g.X-end > .15*em
		}
		if blank {
			s.spaces = append(s.spaces, n+k)
		}
		end = math.Max(end, g.EndX)
	}
	s.text = last.text + " " + first.text
	s.box = s.box.Union(first.box)
	l.segs = slices.Concat(a.segs[:len(a.segs)-1], []segment{s}, b.segs[1:])
	l.box = l.box.Union(b.box)
	return &l
}

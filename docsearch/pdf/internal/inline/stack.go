package inline

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/layout"
)

// Raised and lowered signs that stand one above the other on a letter run back to where they began, and there the layout
// ends a line: N with (1) over ID is the line "N (1)" and the line "ID = ...". The raw text keeps what was found; here the
// pieces become one line again, so that the letter has an exponent and an index.

// ScriptSize is how large raised and lowered signs are at most, of the letters that they stand at.
const ScriptSize = .86

// Follows reports whether b goes on to the right of a on its baseline.
func Follows(a, b *layout.Line) bool {
	gap := b.Box.X0 - a.Box.X1
	return b.Dx > .99 && math.Abs(a.Size-b.Size) < .1*a.Size && math.Abs(stackBase(a, b)-stackBase(b, a)) < .1*a.Size && gap > -.1*a.Size && gap < 2*a.Size
}

// scriptAt is +1 for a raised glyph, -1 for a lowered one, and 0 for one that is neither beside letters of the size em on base.
func scriptAt(g *content.Glyph, base, em float64) int {
	if g.Size >= ScriptSize*em {
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
func stackBase(a, b *layout.Line) float64 {
	for _, l := range [...]*layout.Line{a, b} {
		for i := range l.Segs {
			for k := range l.Segs[i].Glyphs {
				g := &l.Segs[i].Glyphs[k]
				if r, _ := utf8.DecodeRuneInString(g.Text); g.Size > .9*a.Size && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
					return g.Y
				}
			}
		}
	}
	return layout.Baseline(a)
}

// IsStack reports whether b begins with signs that stand under or over those that a ends with, and returns the number of
// the glyph in the last segment of a with which those begin.
func IsStack(a, b *layout.Line) (from int, ok bool) {
	em := a.Size
	if a.Dx < .99 || b.Dx < .99 || a.RTL || b.RTL || b.Box.X0 > a.Box.X1+.1*em || b.Box.X1 < a.Box.X0 || math.Abs(a.Base-b.Base) > em {
		return 0, false
	}
	glyphs := a.Segs[len(a.Segs)-1].Glyphs
	first := &b.Segs[0].Glyphs[0]
	if g := &glyphs[len(glyphs)-1]; g.Text == VecAccent && b.Size > .9*em { // an arrow, and the letter beneath it
		return len(glyphs), math.Abs(g.X-first.X) < .7*em && math.Abs(g.Y-first.Y) < .6*em
	}
	base := stackBase(a, b)
	below := scriptAt(first, base, em)
	if below == 0 || b.Size >= ScriptSize*em && math.Abs(stackBase(b, a)-base) > .15*em {
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

// Stack joins b to a. Blanks that only bridge the room that the other sign takes are left out.
func Stack(a, b *layout.Line, from int) *layout.Line {
	l := *a
	last, first := &a.Segs[len(a.Segs)-1], &b.Segs[0]
	base, em := stackBase(a, b), a.Size
	s := *last
	s.Base, l.Base = base, base
	n := len(last.Glyphs)
	s.Glyphs = slices.Concat(last.Glyphs, first.Glyphs)
	s.Spaces = slices.DeleteFunc(slices.Clone(last.Spaces), func(k int) bool { return k == from || k >= n })
	end := last.Glyphs[n-1].EndX
	script := true
	for k := range first.Glyphs {
		g := &first.Glyphs[k]
		blank := slices.Contains(first.Spaces, k)
		if script && scriptAt(g, base, em) == 0 {
			script = false
			blank = blank && g.X-end > .15*em
		}
		if blank {
			s.Spaces = append(s.Spaces, n+k)
		}
		end = math.Max(end, g.EndX)
	}
	s.Text = last.Text + " " + first.Text
	s.Box = s.Box.Union(first.Box)
	l.Segs = slices.Concat(a.Segs[:len(a.Segs)-1], []layout.Segment{s}, b.Segs[1:])
	l.Box = l.Box.Union(b.Box)
	return &l
}

package pdf

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Distances of the layout, in ems of the glyph at hand. A gap over spaceGap is a space between words; over lineGap a new
// piece of line; a step off the baseline up to baseStep is still the same line (super- and subscripts), up to
// blockStep the next line of a block, more is a new block.
const (
	spaceGap  = 0.15
	lineGap   = 0.8
	baseStep  = 0.8
	blockStep = 1.4
)

// A word is a run of glyphs without a gap.
type word struct {
	text string
	box  rect
	base float64 // baseline
	size float64
	font *font
}

// A segment is a piece of a line: glyphs in content order along one baseline without a wide gap.
type segment struct {
	glyphs []glyph
	spaces []int // glyph numbers that a space comes before
	dx, dy float64
	block  int
	text   string
	box    rect
	base   float64
	size   float64
	font   *font
}

// A line is what is printed as one line of text: segments on one baseline that follow each other in the content.
type line struct {
	segs  []segment
	text  string
	box   rect
	base  float64
	size  float64
	font  *font
	block int
	dx    float64
}

// layoutSegments groups glyphs into segments and blocks in content order. The order of the content is the reading order
// of nearly every producer, and it keeps columns apart without guessing where they are.
func layoutSegments(glyphs []glyph) []segment {
	var segs []segment
	var last *glyph
	block := 0
	start := -1
	var spaces []int
	var startX, startY float64
	flush := func(end int) {
		if start >= 0 && end > start {
			s := segment{glyphs: glyphs[start:end], spaces: spaces, block: block}
			s.finish()
			segs = append(segs, s)
		}
		spaces = nil
	}
	for i := range glyphs {
		g := &glyphs[i]
		newLine, newBlock := true, false
		if last == nil || g.vertical != last.vertical || g.dx*last.dx+g.dy*last.dy < .999 {
			newBlock = true
		} else {
			if g.text == last.text && math.Abs(g.ex-last.ex) < 1e-3 && math.Abs(g.ey-last.ey) < 1e-3 && math.Abs(g.x-last.x) < 1e-3 {
				g.text = "" // the same glyph twice in one place: bold by overprinting
				continue
			}
			size := math.Max(g.size, 1e-6)
			dx, dy := g.x-last.ex, g.y-last.ey
			gap := g.dx*dx + g.dy*dy
			off := math.Abs(-g.dy*dx + g.dx*dy)
			switch {
			case off < size*baseStep:
				switch {
				case math.Abs(gap) < size*spaceGap:
					newLine = false
				case gap > 0 && gap < size*lineGap:
					newLine = false
					if !endsSpace(last.text) && !startsSpace(g.text) {
						spaces = append(spaces, i-start)
					}
				case gap < 0 && rtlGlyph(g) && rtlGlyph(last):
					// Right-to-left text written in reading order: the end of this glyph meets the start of the last.
					bx, by := last.x-g.ex, last.y-g.ey
					back := g.dx*bx + g.dy*by
					if math.Abs(back) < size*lineGap {
						newLine = false
						if back > size*spaceGap && !endsSpace(last.text) && !startsSpace(g.text) {
							spaces = append(spaces, i-start)
						}
					}
				}
			case off <= size*blockStep:
				if !g.vertical && g.object {
					if along := g.dx*(g.x-startX) + g.dy*(g.y-startY); math.Abs(along) > .5 {
						newBlock = true
					}
				}
			default:
				newBlock = true
			}
		}
		if newLine {
			flush(i)
			if newBlock {
				block++
			}
			start = i
			startX, startY = g.x, g.y
		}
		last = g
	}
	flush(len(glyphs))
	return segs
}

func endsSpace(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsSpace(r)
}

func startsSpace(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsSpace(r)
}

func rtlRune(r rune) bool {
	return r >= 0x0590 && r <= 0x08FF || r >= 0xFB1D && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFC || r >= 0x10800 && r <= 0x10FFF || r >= 0x1E800 && r <= 0x1EFFF
}

func rtlGlyph(g *glyph) bool {
	r, _ := utf8.DecodeRuneInString(g.text)
	return rtlRune(r)
}

// finish fills in what is computed from the glyphs.
func (s *segment) finish() {
	s.box = emptyRect
	forward, backward := 0, 0
	var b strings.Builder
	next := 0
	for i := range s.glyphs {
		g := &s.glyphs[i]
		s.box = s.box.union(g.box())
		if g.size > s.size {
			s.size = g.size
		}
		if i > 0 && rtlGlyph(g) {
			p := &s.glyphs[i-1]
			if g.dx*(g.x-p.x)+g.dy*(g.y-p.y) >= 0 {
				forward++
			} else {
				backward++
			}
		}
		if next < len(s.spaces) && s.spaces[next] == i {
			b.WriteByte(' ')
			next++
		}
		for _, r := range g.text {
			if r >= 0x20 && r != 0x7F && r != utf8.RuneError || r == '\t' {
				b.WriteRune(r)
			} else if r == utf8.RuneError {
				b.WriteRune(r)
			} else if r == '\n' || r == '\r' {
				b.WriteByte(' ')
			}
		}
	}
	s.text = b.String()
	if forward > backward {
		s.text = visualToLogical(s.text)
	}
	s.dx, s.dy = s.glyphs[0].dx, s.glyphs[0].dy
	s.base, s.font = s.glyphs[0].y, s.glyphs[0].font
	votes := map[*font]int{}
	for i := range s.glyphs {
		f := s.glyphs[i].font
		if votes[f]++; votes[f] > votes[s.font] {
			s.font = f
		}
		if g := &s.glyphs[i]; g.size >= s.size*.99 {
			s.base = g.y
		}
	}
}

// box is the glyph's box from a fixed ascent and descent; boxes stated in fonts are not to be trusted.
func (g *glyph) box() rect {
	ux, uy := g.dy, -g.dx // up on the page as shown
	if g.vertical {
		ux, uy = .5, 0
		r := emptyRect
		return r.add(g.x, g.y).add(g.x+g.size, g.y).add(g.ex, g.ey).add(g.ex+g.size, g.ey)
	}
	a, d := .75*g.size, -.22*g.size
	r := emptyRect
	return r.add(g.x+ux*a, g.y+uy*a).add(g.x+ux*d, g.y+uy*d).add(g.ex+ux*a, g.ey+uy*a).add(g.ex+ux*d, g.ey+uy*d)
}

// visualToLogical turns runs of right-to-left characters that were set from left to right into reading order. Digits
// and Latin words inside keep theirs.
func visualToLogical(s string) string {
	rs := []rune(s)
	rtl, ltr := 0, 0
	for _, r := range rs {
		switch {
		case rtlRune(r):
			rtl++
		case unicode.IsLetter(r):
			ltr++
		}
	}
	if rtl == 0 {
		return s
	}
	reverse := func(a []rune) {
		for i, j := 0, len(a)-1; i < j; i, j = i+1, j-1 {
			a[i], a[j] = a[j], a[i]
		}
	}
	strong := func(r rune) bool { return !rtlRune(r) && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
	if rtl >= ltr { // the line runs from the right: reverse all, then the pieces that run from the left
		reverse(rs)
		for i, r := range rs {
			if m, ok := mirrored[r]; ok {
				rs[i] = m
			}
		}
		for i := 0; i < len(rs); {
			if !strong(rs[i]) {
				i++
				continue
			}
			j := i
			for k := i; k < len(rs) && !rtlRune(rs[k]); k++ {
				if strong(rs[k]) {
					j = k
				}
			}
			reverse(rs[i : j+1])
			i = j + 1
		}
		return string(rs)
	}
	for i := 0; i < len(rs); {
		if !rtlRune(rs[i]) {
			i++
			continue
		}
		j := i
		for k := i; k < len(rs) && !strong(rs[k]); k++ {
			if rtlRune(rs[k]) {
				j = k
			}
		}
		reverse(rs[i : j+1])
		i = j + 1
	}
	return string(rs)
}

var mirrored = map[rune]rune{'(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{', '<': '>', '>': '<'}

// layoutLines joins segments that go on along the same baseline into lines.
func layoutLines(segs []segment) []line {
	var out []line
	for i := range segs {
		s := &segs[i]
		if s.text == "" {
			continue
		}
		if n := len(out); n > 0 && joins(&out[n-1].segs[len(out[n-1].segs)-1], s) {
			l := &out[n-1]
			l.segs = append(l.segs, *s)
			l.box = l.box.union(s.box)
			if s.size > l.size {
				l.size = s.size
			}
			if !endsSpace(l.text) && !startsSpace(s.text) {
				l.text += " "
			}
			l.text += s.text
			continue
		}
		out = append(out, line{segs: []segment{*s}, text: s.text, box: s.box, base: s.base, size: s.size, font: s.font, block: s.block, dx: s.dx})
	}
	for i := range out {
		out[i].text = strings.TrimRightFunc(out[i].text, unicode.IsSpace)
	}
	return out
}

// joins reports whether b follows a on the same baseline.
func joins(a, b *segment) bool {
	if a.dx*b.dx+a.dy*b.dy < .999 || a.glyphs[0].vertical || b.glyphs[0].vertical {
		return false
	}
	p, q := &a.glyphs[len(a.glyphs)-1], &b.glyphs[0]
	dx, dy := q.x-p.ex, q.y-p.ey
	along := q.dx*dx + q.dy*dy
	off := math.Abs(-q.dy*dx + q.dx*dy)
	return along > 0 && off < .15*math.Max(p.size, q.size)
}

// rawText is the page's text: a line each, an empty line nowhere.
func rawText(lines []line) string {
	var b strings.Builder
	for i := range lines {
		t := lines[i].text
		if strings.TrimSpace(t) == "" {
			continue
		}
		b.WriteString(t)
		b.WriteByte('\n')
	}
	return b.String()
}

// words cuts a segment at its spaces.
func (s *segment) words() []word {
	var out []word
	var cur []glyph
	flush := func() {
		if len(cur) == 0 {
			return
		}
		t := segment{glyphs: cur}
		t.finish()
		if txt := strings.TrimSpace(t.text); txt != "" {
			out = append(out, word{txt, t.box, t.base, t.size, t.font})
		}
		cur = nil
	}
	next := 0
	for i := range s.glyphs {
		if next < len(s.spaces) && s.spaces[next] == i {
			flush()
			next++
		}
		if strings.TrimSpace(s.glyphs[i].text) == "" {
			flush()
			continue
		}
		cur = append(cur, s.glyphs[i])
	}
	flush()
	return out
}

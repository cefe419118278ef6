package pdf

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/pdf/internal/font"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
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
	box  geometry.Rect
	base float64 // baseline
	size float64
	font *font.Font
}

// A segment is a piece of a line: glyphs in content order along one baseline without a wide gap.
type segment struct {
	glyphs []glyph
	spaces []int // glyph numbers that a space comes before
	dx, dy float64
	block  int
	text   string
	box    geometry.Rect
	base   float64
	size   float64
	font   *font.Font
	rtl    bool // has text that runs from right to left
}

// A line is what is printed as one line of text: segments on one baseline that follow each other in the content.
type line struct {
	segs  []segment
	text  string
	box   geometry.Rect
	base  float64
	size  float64
	font  *font.Font
	block int
	dx    float64
	rtl   bool      // has text that runs from right to left
	look  lineLooks // 0 until it is asked for
}

// layoutSegments groups glyphs into segments and blocks in content order. The order of the content is the reading order
// of nearly every producer, and it keeps columns apart without guessing where they are. The segments use the memory of m.
func layoutSegments(glyphs []glyph, m *layoutMemory) []segment {
	segs, spaces := m.segs[:0], m.spaces[:0]
	var last *glyph
	block := 0
	start, firstSpace := -1, 0
	var startX, startY float64
	flush := func(end int) {
		if start >= 0 && end > start {
			n := len(spaces)
			segs = append(segs, segment{glyphs: glyphs[start:end], spaces: spaces[firstSpace:n:n], block: block})
			s := &segs[len(segs)-1]
			if s.finish(m); s.text == "" {
				segs = segs[:len(segs)-1]
			}
		}
		firstSpace = len(spaces)
	}
	var twice overprint
	down := false // in a column of upright characters, each set by itself
	for i := range glyphs {
		g := &glyphs[i]
		newLine, newBlock := true, false
		if twice.drop(glyphs, i, last) {
			continue
		}
		if last == nil || g.field != last.field || g.vertical != last.vertical || g.dx*last.dx+g.dy*last.dy < .999 {
			newBlock = true
		} else {
			size := max(g.size, 1e-6)
			dx, dy := g.x-last.ex, g.y-last.ey
			gap := g.dx*dx + g.dy*dy
			off := math.Abs(-g.dy*dx + g.dx*dy)
			switch {
			case off < size*baseStep:
				if gap < -size*.05 || last.text != "" && last.text[0] == 0xCC { // UTF-8 of U+0300 to U+033F
					if letter := compose(last, g); letter != nil {
						if letter == g && i > start+1 && len(spaces) > firstSpace && spaces[len(spaces)-1] == i-1-start && g.behind(&glyphs[i-2]) < size*spaceGap {
							spaces = spaces[:len(spaces)-1] // before the accent there was a gap, before the letter there is none
						}
						last = letter
						continue
					}
				}
				switch {
				case last.text == " " && g.font == last.font && g.size == last.size && last.width() > size*.1 && math.Abs(g.behind(last)+last.width()) < size*.04:
					newLine, last.text = false, "" // a space of no width: a converter moved by it
				case math.Abs(gap) < size*spaceGap:
					newLine = false
				case gap > 0 && gap < size*lineGap:
					newLine = false
					if !endsSpace(last.text) && !startsSpace(g.text) && !(unspaced(last.text) && unspaced(g.text)) {
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
				case gap < 0 && g.dx*(g.x-last.x)+g.dy*(g.y-last.y) > size*.05:
					newLine = false // tightly set, or an advance that is stated too wide: it still goes forward
				}
			case (down || start == i-1) && unspaced(g.text) && unspaced(last.text) && beneath(g, last):
				newLine, down = false, true
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
			start, down = i, false
			startX, startY = g.x, g.y
		}
		last = g
	}
	flush(len(glyphs))
	m.segs, m.spaces = segs, spaces
	segs = placeFields(orderRTL(segs))
	untrack(segs, m)
	return segs
}

// beneath reports whether g stands right under p, as in a column of vertical writing that was set as single characters.
func beneath(g, p *glyph) bool {
	down, across := -g.dy*(g.x-p.x)+g.dx*(g.y-p.y), g.dx*(g.x-p.x)+g.dy*(g.y-p.y)
	return down > .8*g.size && down < 1.15*g.size && math.Abs(across) < .3*g.size
}

// width is the advance along the line.
func (g *glyph) width() float64 { return g.dx*(g.ex-g.x) + g.dy*(g.ey-g.y) }

// behind is the gap from the end of p to the start of g.
func (g *glyph) behind(p *glyph) float64 { return g.dx*(g.x-p.ex) + g.dy*(g.y-p.ey) }

// unspaced reports whether a glyph's text is of a script that is written without spaces: Chinese or Japanese. A gap within
// it is the typesetter's.
func unspaced(s string) bool {
	if s == "" || s[len(s)-1] < 0x80 {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s)
	return r >= 0x2E80 && r < 0xA000 || r >= 0xF900 && r < 0xFB00 || r >= 0xFE30 && r < 0xFE50 || r >= 0xFF00 && r <= 0xFF9F || r >= 0x20000 && r < 0x32000
}

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
func (o *overprint) drop(glyphs []glyph, i int, last *glyph) bool {
	if !o.begun {
		o.begun, o.follow = true, -1
	}
	g := &glyphs[i]
	copyOf := -1
	if o.follow >= 0 {
		k := o.follow + 1
		for k < i && glyphs[k].text == "" {
			k++
		}
		if k < i && g.over(&glyphs[k]) {
			copyOf = k
		}
	}
	near := overprintNear * g.size
	for k := i - 1; copyOf < 0 && k >= 0 && k >= i-overprintClose; k-- {
		if d := g.x - glyphs[k].x; d < near && d > -near && g.over(&glyphs[k]) {
			copyOf = k
		}
	}
	if copyOf < 0 && last != nil && (g.behind(last) < -overprintNear*g.size || math.Abs(g.y-last.y)+math.Abs(g.x-last.x) > 2*g.size) {
		for k := i - 1 - overprintClose; k >= 0 && k >= i-overprintFar; k-- {
			if d := g.x - glyphs[k].x; d < near && d > -near && g.over(&glyphs[k]) {
				copyOf = k
				break
			}
		}
	}
	o.follow = copyOf
	if copyOf < 0 {
		g.object = g.object || o.object
		o.object = false
		return false
	}
	o.object = o.object || g.object
	g.text = ""
	return true
}

// over reports whether g is p drawn again.
func (g *glyph) over(p *glyph) bool {
	near := overprintNear * g.size
	return math.Abs(g.x-p.x) < near && math.Abs(g.y-p.y) < near && math.Abs(g.size-p.size) < near && g.text == p.text && g.text != ""
}

func endsSpace(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsSpace(r)
}

func startsSpace(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsSpace(r)
}

// finish fills in what is computed from the glyphs.
func (s *segment) finish(m *layoutMemory) {
	s.box = geometry.Empty
	b := m.text[:0]
	next := 0
	oneFont := true
	for i := range s.glyphs {
		g := &s.glyphs[i]
		s.box = s.box.Union(g.box())
		if g.size > s.size {
			s.size = g.size
		}
		oneFont = oneFont && g.font == s.glyphs[0].font
		s.rtl = s.rtl || rtlGlyph(g)
		if next < len(s.spaces) && s.spaces[next] == i {
			b = append(b, ' ')
			next++
		}
		if len(g.text) == 1 && g.text[0] >= 0x20 && g.text[0] < 0x7F {
			b = append(b, g.text[0])
			continue
		}
		for _, r := range g.text {
			if r >= 0x20 && r != 0x7F || r == '\t' {
				b = utf8.AppendRune(b, r)
			} else if r == '\n' || r == '\r' {
				b = append(b, ' ')
			}
		}
	}
	s.text = string(b)
	m.text = b
	s.dx, s.dy = s.glyphs[0].dx, s.glyphs[0].dy
	s.base, s.font = s.glyphs[0].y, s.glyphs[0].font
	if !oneFont {
		s.font = mainFont(s.glyphs)
	}
	for i := len(s.glyphs) - 1; i >= 0; i-- {
		if g := &s.glyphs[i]; g.size >= s.size*.99 {
			s.base = g.y
			break
		}
	}
}

// mainFont is the font that most glyphs have; of several the one that was first to have so many.
func mainFont(glyphs []glyph) *font.Font {
	votes := map[*font.Font]int{}
	best := glyphs[0].font
	for i := 0; i < len(glyphs); {
		f, j := glyphs[i].font, i+1
		for j < len(glyphs) && glyphs[j].font == f {
			j++
		}
		votes[f] += j - i
		if votes[f] > votes[best] {
			best = f
		}
		i = j
	}
	return best
}

// box is the glyph's box from a fixed ascent and descent; boxes stated in fonts are not to be trusted.
func (g *glyph) box() geometry.Rect {
	if g.dx == 1 && g.dy == 0 && !g.vertical { // nearly all text
		return geometry.NewRect(min(g.x, g.ex), min(g.y, g.ey)-.75*g.size, max(g.x, g.ex), max(g.y, g.ey)+.22*g.size)
	}
	ux, uy := g.dy, -g.dx // up on the page as shown
	if g.vertical {
		ux, uy = .5, 0
		r := geometry.Empty
		return r.Add(g.x, g.y).Add(g.x+g.size, g.y).Add(g.ex, g.ey).Add(g.ex+g.size, g.ey)
	}
	a, d := .75*g.size, -.22*g.size
	r := geometry.Empty
	return r.Add(g.x+ux*a, g.y+uy*a).Add(g.x+ux*d, g.y+uy*d).Add(g.ex+ux*a, g.ey+uy*a).Add(g.ex+ux*d, g.ey+uy*d)
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
	if a.dx*b.dx+a.dy*b.dy < .999 || a.glyphs[0].vertical || b.glyphs[0].vertical {
		return false
	}
	p, q := &a.glyphs[len(a.glyphs)-1], &b.glyphs[0]
	dx, dy := q.x-p.ex, q.y-p.ey
	along := q.dx*dx + q.dy*dy
	off := math.Abs(-q.dy*dx + q.dx*dy)
	slack := .15
	if p.field != q.field { // a value stands somewhere in its box
		slack = .6
	}
	return along > 0 && off < slack*math.Max(p.size, q.size)
}

// joinsLeft reports whether s goes on to the left of last in a line of right-to-left text, as the next cell of a table does.
func joinsLeft(last, s *segment) bool {
	if !sameBaseline(last, s) || s.glyphs[0].vertical || s.glyphs[0].field != last.glyphs[0].field {
		return false
	}
	lo, _ := last.extent()
	_, hi := s.extent()
	return hi < lo
}

// rawText is the page's text: a line each, an empty line nowhere.
func rawText(lines []line) string {
	size := 0
	for i := range lines {
		size += len(lines[i].text) + 1
	}
	var b strings.Builder
	b.Grow(size)
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

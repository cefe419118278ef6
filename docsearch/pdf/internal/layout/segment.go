package layout

import (
	"math"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/pdf/internal/content"
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

// A Segment is a piece of a line: glyphs in content order along one baseline without a wide gap.
type Segment struct {
	Glyphs []content.Glyph
	Spaces []int // glyph numbers that a space comes before
	dx, dy float64
	block  int
	Text   string
	Box    geometry.Rect
	Base   float64
	Size   float64
	font   *font.Font
	rtl    bool // has text that runs from right to left
}

// A Line is what is printed as one line of text: segments on one baseline that follow each other in the content.
type Line struct {
	Segs  []Segment
	Text  string
	Box   geometry.Rect
	Base  float64
	Size  float64
	Font  *font.Font
	block int
	Dx    float64
	RTL   bool      // has text that runs from right to left
	look  lineLooks // 0 until it is asked for
}

// Segments groups glyphs into segments and blocks in content order. The order of the content is the reading order
// of nearly every producer, and it keeps columns apart without guessing where they are. The segments use the memory of m.
func Segments(glyphs []content.Glyph, m *Memory) []Segment {
	segs, spaces := m.segs[:0], m.spaces[:0]
	var last *content.Glyph
	block := 0
	start, firstSpace := -1, 0
	var startX, startY float64
	flush := func(end int) {
		if start >= 0 && end > start {
			n := len(spaces)
			segs = append(segs, Segment{Glyphs: glyphs[start:end], Spaces: spaces[firstSpace:n:n], block: block})
			s := &segs[len(segs)-1]
			if s.finish(m); s.Text == "" {
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
		if last == nil || g.Field != last.Field || g.Vertical != last.Vertical || g.Dx*last.Dx+g.Dy*last.Dy < .999 {
			newBlock = true
		} else {
			size := max(g.Size, 1e-6)
			dx, dy := g.X-last.EndX, g.Y-last.EndY
			gap := g.Dx*dx + g.Dy*dy
			off := math.Abs(-g.Dy*dx + g.Dx*dy)
			switch {
			case off < size*baseStep:
				if gap < -size*.05 || last.Text != "" && last.Text[0] == 0xCC { // UTF-8 of U+0300 to U+033F
					if letter := compose(last, g); letter != nil {
						if letter == g && i > start+1 && len(spaces) > firstSpace && spaces[len(spaces)-1] == i-1-start && g.Gap(&glyphs[i-2]) < size*spaceGap {
							spaces = spaces[:len(spaces)-1] // before the accent there was a gap, before the letter there is none
						}
						last = letter
						continue
					}
				}
				switch {
				case last.Text == " " && g.Font == last.Font && g.Size == last.Size && last.Advance() > size*.1 && math.Abs(g.Gap(last)+last.Advance()) < size*.04:
					newLine, last.Text = false, "" // a space of no width: a converter moved by it
				case math.Abs(gap) < size*spaceGap:
					newLine = false
				case gap > 0 && gap < size*lineGap:
					newLine = false
					if !endsSpace(last.Text) && !StartsSpace(g.Text) && !(isUnspaced(last.Text) && isUnspaced(g.Text)) {
						spaces = append(spaces, i-start)
					}
				case gap < 0 && IsRTLGlyph(g) && IsRTLGlyph(last):
					// Right-to-left text written in reading order: the end of this glyph meets the start of the last.
					bx, by := last.X-g.EndX, last.Y-g.EndY
					back := g.Dx*bx + g.Dy*by
					if math.Abs(back) < size*lineGap {
						newLine = false
						if back > size*spaceGap && !endsSpace(last.Text) && !StartsSpace(g.Text) {
							spaces = append(spaces, i-start)
						}
					}
				case gap < 0 && g.Dx*(g.X-last.X)+g.Dy*(g.Y-last.Y) > size*.05:
					newLine = false // tightly set, or an advance that is stated too wide: it still goes forward
				}
			case (down || start == i-1) && isUnspaced(g.Text) && isUnspaced(last.Text) && beneath(g, last):
				newLine, down = false, true
			case off <= size*blockStep:
				if !g.Vertical && g.Begins {
					if along := g.Dx*(g.X-startX) + g.Dy*(g.Y-startY); math.Abs(along) > .5 {
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
			startX, startY = g.X, g.Y
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
func beneath(g, p *content.Glyph) bool {
	down, across := -g.Dy*(g.X-p.X)+g.Dx*(g.Y-p.Y), g.Dx*(g.X-p.X)+g.Dy*(g.Y-p.Y)
	return down > .8*g.Size && down < 1.15*g.Size && math.Abs(across) < .3*g.Size
}

// isUnspaced reports whether a glyph's text is of a script that is written without spaces: Chinese or Japanese. A gap within
// it is the typesetter's.
func isUnspaced(s string) bool {
	if s == "" || s[len(s)-1] < 0x80 {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s)
	return r >= 0x2E80 && r < 0xA000 || r >= 0xF900 && r < 0xFB00 || r >= 0xFE30 && r < 0xFE50 || r >= 0xFF00 && r <= 0xFF9F || r >= 0x20000 && r < 0x32000
}

func endsSpace(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsSpace(r)
}

// StartsSpace reports whether a text begins with white space.
func StartsSpace(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsSpace(r)
}

// finish fills in what is computed from the glyphs.
func (s *Segment) finish(m *Memory) {
	s.Box = geometry.Empty()
	b := m.text[:0]
	next := 0
	oneFont := true
	for i := range s.Glyphs {
		g := &s.Glyphs[i]
		s.Box = s.Box.Union(g.Box())
		if g.Size > s.Size {
			s.Size = g.Size
		}
		oneFont = oneFont && g.Font == s.Glyphs[0].Font
		s.rtl = s.rtl || IsRTLGlyph(g)
		if next < len(s.Spaces) && s.Spaces[next] == i {
			b = append(b, ' ')
			next++
		}
		if len(g.Text) == 1 && g.Text[0] >= 0x20 && g.Text[0] < 0x7F {
			b = append(b, g.Text[0])
			continue
		}
		for _, r := range g.Text {
			if r >= 0x20 && r != 0x7F || r == '\t' {
				b = utf8.AppendRune(b, r)
			} else if r == '\n' || r == '\r' {
				b = append(b, ' ')
			}
		}
	}
	s.Text = string(b)
	m.text = b
	s.dx, s.dy = s.Glyphs[0].Dx, s.Glyphs[0].Dy
	s.Base, s.font = s.Glyphs[0].Y, s.Glyphs[0].Font
	if !oneFont {
		s.font = mainFont(s.Glyphs)
	}
	for i := len(s.Glyphs) - 1; i >= 0; i-- {
		if g := &s.Glyphs[i]; g.Size >= s.Size*.99 {
			s.Base = g.Y
			break
		}
	}
}

// mainFont is the font that most glyphs have; of several the one that was first to have so many.
func mainFont(glyphs []content.Glyph) *font.Font {
	votes := map[*font.Font]int{}
	best := glyphs[0].Font
	for i := 0; i < len(glyphs); {
		f, j := glyphs[i].Font, i+1
		for j < len(glyphs) && glyphs[j].Font == f {
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

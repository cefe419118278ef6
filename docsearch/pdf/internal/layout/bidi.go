package layout

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/pdf/internal/content"
)

// Text that runs from right to left is drawn in every order there is: as it is seen, as it is read, word by word, the
// points of a letter before or after it. What all producers share is where the glyphs end up. So a line with such text is
// taken as it is seen, and turned into reading order by the rules of Unicode's bidirectional algorithm (UAX #9) backwards:
// what runs from the right is reversed, numbers and words of other scripts within it keep their order.

// wideGap ends the part of a line that is put in order as one, in ems: beyond it stands another column or cell.
const wideGap = 1.5

// A cluster is a letter with its marks.
type cluster struct {
	glyphs []content.Glyph
	lo, hi float64 // extent along the line
	kind   bidiKind
}

type bidiKind uint8

const (
	bidiNeutral bidiKind = iota
	bidiLeft             // runs from the left
	bidiRight            // runs from the right
	bidiDigit
	bidiSeparator // may stand within a number
	bidiSpace
)

// orderRTL puts the segments that have right-to-left text into reading order. Neighbours on the same baseline become one
// segment.
func orderRTL(segs []Segment) []Segment {
	any := false
	for i := range segs {
		any = any || segs[i].rtl
	}
	if !any {
		return segs
	}
	out := segs[:0]
	for i := 0; i < len(segs); {
		j, rtl := i+1, segs[i].rtl
		lo, hi := segs[i].extent()
		for j < len(segs) && sameBaseline(&segs[i], &segs[j]) {
			l, h := segs[j].extent()
			if gap := max(l-hi, lo-h); gap > wideGap*max(segs[i].Size, segs[j].Size) {
				break
			}
			lo, hi = min(lo, l), max(hi, h)
			rtl = rtl || segs[j].rtl
			j++
		}
		if rtl && !segs[i].Glyphs[0].Vertical {
			out = append(out, mergeRTL(segs[i:j]))
		} else {
			out = append(out, segs[i:j]...)
		}
		i = j
	}
	return out
}

// extent is where a segment begins and ends along its direction.
func (s *Segment) extent() (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for i := range s.Glyphs {
		a, b := s.Glyphs[i].Extent()
		lo, hi = min(lo, a), max(hi, b)
	}
	return lo, hi
}

func sameBaseline(a, b *Segment) bool {
	if a.dx*b.dx+a.dy*b.dy < .999 || a.Glyphs[0].Vertical != b.Glyphs[0].Vertical {
		return false
	}
	p, q := &a.Glyphs[0], &b.Glyphs[0]
	return math.Abs(-p.Dy*(q.X-p.X)+p.Dx*(q.Y-p.Y)) < .15*max(a.Size, b.Size)
}

// ReadingText is the text of glyphs in one line, which may run from right to left, in reading order.
func ReadingText(glyphs []content.Glyph) string {
	s := Segment{Glyphs: glyphs}
	s.finish(&Memory{})
	return mergeRTL([]Segment{s}).Text
}

// mergeRTL makes one segment of several, its glyphs in reading order.
func mergeRTL(segs []Segment) Segment {
	var clusters []cluster
	visual, logical := 0, 0
	for i := range segs {
		gs := segs[i].Glyphs
		for k := range gs {
			if gs[k].Text == "" {
				continue
			}
			if k > 0 && IsRTLGlyph(&gs[k]) && IsRTLGlyph(&gs[k-1]) {
				if a, _ := gs[k-1].Extent(); a < mid(&gs[k]) {
					visual++
				} else {
					logical++
				}
			}
			clusters = append(clusters, newCluster(gs[k]))
		}
	}
	clusters = attachMarks(clusters)
	slices.SortStableFunc(clusters, func(a, b cluster) int {
		switch d := (a.lo + a.hi) - (b.lo + b.hi); {
		case d < 0:
			return -1
		case d > 0:
			return 1
		}
		return 0
	})
	s := Segment{block: segs[0].block}
	clusters = readingOrder(withSpaces(clusters))
	mirrorBrackets(clusters, visual >= logical)
	for i := range clusters {
		if clusters[i].kind == bidiSpace {
			// A space that is drawn, or a gap: one is enough, and none at the ends.
			if n := len(s.Glyphs); n > 0 && (len(s.Spaces) == 0 || s.Spaces[len(s.Spaces)-1] != n) {
				s.Spaces = append(s.Spaces, n)
			}
			continue
		}
		s.Glyphs = append(s.Glyphs, clusters[i].glyphs...)
	}
	if n := len(s.Spaces); n > 0 && s.Spaces[n-1] == len(s.Glyphs) {
		s.Spaces = s.Spaces[:n-1]
	}
	if len(s.Glyphs) == 0 {
		return segs[0]
	}
	s.finish(&Memory{})
	return s
}

func mid(g *content.Glyph) float64 {
	lo, hi := g.Extent()
	return (lo + hi) / 2
}

func newCluster(g content.Glyph) cluster {
	c := cluster{glyphs: []content.Glyph{g}}
	c.lo, c.hi = g.Extent()
	r, _ := utf8.DecodeRuneInString(g.Text)
	switch {
	case strings.TrimSpace(g.Text) == "":
		c.kind = bidiSpace
	case unicode.IsDigit(r):
		c.kind = bidiDigit
	case IsRTL(r):
		c.kind = bidiRight
	case unicode.IsLetter(r):
		c.kind = bidiLeft
	case strings.ContainsRune(",.:/+-−٫٬%", r):
		c.kind = bidiSeparator
	}
	return c
}

// attachMarks joins vowel points and accents with the letter that they stand on, after it as Unicode wants it.
func attachMarks(cs []cluster) []cluster {
	mark := func(c *cluster) bool {
		r, _ := utf8.DecodeRuneInString(c.glyphs[0].Text)
		return unicode.Is(unicode.Mn, r)
	}
	keep := make([]bool, len(cs))
	for i := range cs {
		if keep[i] = !mark(&cs[i]); keep[i] {
			continue
		}
		at := (cs[i].lo + cs[i].hi) / 2
		best, dist := -1, math.Inf(1)
		for _, k := range [...]int{i - 1, i + 1, i - 2, i + 2, i - 3} { // the letter is drawn next to its marks
			if k < 0 || k >= len(cs) || mark(&cs[k]) || cs[k].kind == bidiSpace {
				continue
			}
			if d := max(cs[k].lo-at, at-cs[k].hi, 0); d < dist {
				best, dist = k, d
			}
		}
		if best < 0 {
			keep[i] = true
			continue
		}
		cs[best].glyphs = append(cs[best].glyphs, cs[i].glyphs...)
	}
	out := cs[:0]
	for i := range cs {
		if keep[i] {
			out = append(out, cs[i])
		}
	}
	return out
}

// withSpaces puts a space wherever there is a gap between neighbours.
func withSpaces(cs []cluster) []cluster {
	out := make([]cluster, 0, len(cs)+len(cs)/4)
	end := math.Inf(1)
	for i := range cs {
		if c := &cs[i]; c.lo-end > spaceGap*c.glyphs[0].Size && c.kind != bidiSpace {
			out = append(out, cluster{kind: bidiSpace})
		}
		end = cs[i].hi
		out = append(out, cs[i])
	}
	return out
}

// readingOrder turns clusters from the order on the page, left to right, into that of reading.
func readingOrder(cs []cluster) []cluster {
	left, right := 0, 0
	for i := range cs {
		switch cs[i].kind {
		case bidiLeft:
			left++
		case bidiRight:
			right++
		}
	}
	if right >= left { // the line begins at the right
		slices.Reverse(cs)
		turnBack(cs)
		return cs
	}
	for i := 0; i < len(cs); i++ {
		if cs[i].kind != bidiRight {
			continue
		}
		j := i
		for k := i; k < len(cs) && cs[k].kind != bidiLeft; k++ {
			if cs[k].kind == bidiRight {
				j = k
			}
		}
		slices.Reverse(cs[i : j+1])
		turnBack(cs[i : j+1])
		i = j
	}
	return cs
}

// turnBack reverses what runs from the left within reversed clusters: words with what stands between them, and numbers one by
// one.
func turnBack(cs []cluster) {
	for i := 0; i < len(cs); {
		if cs[i].kind == bidiRight {
			i++
			continue
		}
		// A stretch without right-to-left letters.
		end, first, last, word := i, -1, -1, false
		for ; end < len(cs) && cs[end].kind != bidiRight; end++ {
			if k := cs[end].kind; k == bidiLeft || k == bidiDigit {
				if first < 0 {
					first = end
				}
				last = end
				word = word || k == bidiLeft
			}
		}
		switch {
		case word:
			slices.Reverse(cs[first : last+1])
		case first >= 0:
			turnNumbers(cs[first : last+1])
		}
		i = end
	}
}

// turnNumbers reverses each number: digits, and single separators between them.
func turnNumbers(cs []cluster) {
	for i := 0; i < len(cs); i++ {
		if cs[i].kind != bidiDigit {
			continue
		}
		end := i
		for k := i + 1; k < len(cs); k++ {
			if cs[k].kind == bidiDigit {
				end = k
			} else if cs[k].kind != bidiSeparator || end != k-1 {
				break
			}
		}
		slices.Reverse(cs[i : end+1])
		i = end
	}
}

var mirrored = map[rune]rune{'(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{', '<': '>', '>': '<', '«': '»', '»': '«', '‹': '›', '›': '‹'}

// mirrorBrackets turns brackets that fonts name by their shape on the page: in text from the right an opening bracket
// looks like a closing one. The first bracket of a line should open; where the line has one kind only, the side tells on which
// it touches a word, or else the drawing order, since who draws text as it is seen has turned the brackets.
func mirrorBrackets(cs []cluster, turned bool) {
	first, at, both := rune(0), 0, false
	right := 0
	for i := range cs {
		if cs[i].kind == bidiRight {
			right++
		}
		r, _ := utf8.DecodeRuneInString(firstText(&cs[i]))
		if _, ok := mirrored[r]; !ok || !besideRight(cs, i) {
			continue
		}
		if first == 0 {
			first, at = r, i
		} else if mirrored[r] == first {
			both = true
		}
	}
	if first == 0 {
		return
	}
	if both {
		turned = strings.ContainsRune(")]}>»›", first)
	} else {
		before, after := touches(cs, at-1), touches(cs, at+1)
		if before != after {
			turned = strings.ContainsRune(")]}>»›", first) == after
		}
	}
	if !turned {
		return
	}
	for i := range cs {
		r, n := utf8.DecodeRuneInString(firstText(&cs[i]))
		if m, ok := mirrored[r]; ok && n == len(cs[i].glyphs[0].Text) && besideRight(cs, i) {
			cs[i].glyphs[0].Text = string(m)
		}
	}
}

// touches reports whether there is a letter or a digit at i.
func touches(cs []cluster, i int) bool {
	return i >= 0 && i < len(cs) && (cs[i].kind == bidiRight || cs[i].kind == bidiLeft || cs[i].kind == bidiDigit)
}

func firstText(c *cluster) string {
	if len(c.glyphs) == 0 {
		return ""
	}
	return c.glyphs[0].Text
}

// besideRight reports whether the nearest letter on either side runs from the right. It looks as far as a line is long.
func besideRight(cs []cluster, i int) bool {
	const far = 500
	for k := i - 1; k >= max(0, i-far) && cs[k].kind != bidiLeft; k-- {
		if cs[k].kind == bidiRight {
			return true
		}
	}
	for k := i + 1; k < min(len(cs), i+far) && cs[k].kind != bidiLeft; k++ {
		if cs[k].kind == bidiRight {
			return true
		}
	}
	return false
}

// IsRTL reports whether r belongs to a script that runs from right to left. Its digits do not.
func IsRTL(r rune) bool {
	if r < 0x0590 {
		return false
	}
	return (r <= 0x08FF && !(r >= 0x0660 && r <= 0x0669 || r >= 0x06F0 && r <= 0x06F9)) || r >= 0xFB1D && r <= 0xFDFF ||
		r >= 0xFE70 && r <= 0xFEFC || r >= 0x10800 && r <= 0x10FFF || r >= 0x1E800 && r <= 0x1EFFF
}

// IsRTLGlyph reports whether a glyph is of a script that runs from right to left.
func IsRTLGlyph(g *content.Glyph) bool {
	if g.Text == "" || g.Text[0] < 0xD6 { // UTF-8 of U+0590 begins with D6
		return false
	}
	r, _ := utf8.DecodeRuneInString(g.Text)
	return IsRTL(r)
}

// Mirror is the bracket that faces a bracket, 0 for other characters.
func Mirror(r rune) rune { return mirrored[r] }

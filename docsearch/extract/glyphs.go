package extract

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/match"
	"github.com/findspot/findspot/internal/errs"
)

// Glyphs says where on a page the characters of its text stand. An extractor fills it in the order of the text; it takes
// 12 bytes for a glyph. The zero value and nil say nothing. It is safe for concurrent reading.
type Glyphs struct {
	scaleX, scaleY float64 // points of one step
	marks          []glyphMark
	runs           []uint32 // first mark of each run
}

// A glyphMark is one glyph: its characters go up to those of the next mark. A mark that is an end has no box.
type glyphMark struct {
	from           uint32 // byte offset in the page's text
	x0, y0, x1, y1 uint16 // in steps of the page's size; x1 < x0: the text that follows has no place
}

// NewGlyphs returns an empty list for a page of a size in points. Boxes are kept to 1/65535 of it.
func NewGlyphs(width, height float64) *Glyphs {
	step := func(v float64) float64 {
		if !(v > 0) || v > 1e6 {
			v = 1000
		}
		return v / math.MaxUint16
	}
	return &Glyphs{scaleX: step(width), scaleY: step(height)}
}

// Add says that the text from a byte offset stands in a box, up to the offset of the next call. Offsets do not decrease:
// one that is smaller than the last is taken for the last. A part of the box that is outside the page is cut off.
func (g *Glyphs) Add(from int, b Box) {
	if len(g.runs) == 0 {
		g.runs = append(g.runs, 0)
	}
	g.push(glyphMark{
		from: uint32(max(from, 0)),
		x0:   stepBelow(b.X0 / g.scaleX), y0: stepBelow(b.Y0 / g.scaleY),
		x1: stepAbove(b.X1 / g.scaleX), y1: stepAbove(b.Y1 / g.scaleY),
	})
}

// stepBelow rounds down to a step, stepAbove up; what is but a hundredth beyond a step is on it.
func stepBelow(v float64) uint16 {
	v += .01
	switch {
	case !(v > 0):
		return 0
	case v >= math.MaxUint16:
		return math.MaxUint16
	}
	return uint16(v)
}

func stepAbove(v float64) uint16 {
	v -= .01
	switch {
	case !(v > 0):
		return 0
	case v >= math.MaxUint16:
		return math.MaxUint16
	}
	n := uint16(v)
	if float64(n) < v {
		n++
	}
	return n
}

// Grow makes room for n more glyphs and ends of runs.
func (g *Glyphs) Grow(n int) { g.marks = slices.Grow(g.marks, max(n, 0)) }

// Break ends a run of text, such as a line or the part of a line before a wide gap, at a byte offset. What follows is a run
// of its own, and the text up to the next [Glyphs.Add] has no place.
func (g *Glyphs) Break(at int) {
	if len(g.marks) == 0 {
		return
	}
	g.push(glyphMark{from: uint32(max(at, 0)), x0: 1})
	g.runs = append(g.runs, uint32(len(g.marks)))
}

func (g *Glyphs) push(m glyphMark) {
	if n := len(g.marks); n > 0 {
		m.from = max(m.from, g.marks[n-1].from)
	}
	g.marks = append(g.marks, m)
}

// Locate returns the boxes of bytes [from, to) of [Page.Text] in points as shown, in the order of the text: one for each line
// of the range, or more where a line has wide gaps. A character that is touched counts whole; blanks do not count. The
// answer is nil for an empty range, and for a page whose extractor does not know its glyphs.
func (p *Page) Locate(from, to int) []Box {
	g := p.Glyphs
	from, to = max(from, 0), min(to, len(p.Text))
	if g == nil || from >= to {
		return nil
	}
	var out []Box
	i := max(0, sort.Search(len(g.marks), func(i int) bool { return int(g.marks[i].from) > from })-1)
	run := sort.Search(len(g.runs), func(k int) bool { return int(g.runs[k]) > i })
	open := false // the last box is of the run at hand
	for ; i < len(g.marks) && int(g.marks[i].from) < to; i++ {
		for run < len(g.runs) && int(g.runs[run]) <= i {
			run++
			open = false
		}
		m := &g.marks[i]
		end := len(p.Text)
		if i+1 < len(g.marks) {
			end = int(g.marks[i+1].from)
		}
		lo, hi := max(from, int(m.from)), min(to, end)
		if m.x1 < m.x0 || lo >= hi || strings.TrimSpace(p.Text[lo:hi]) == "" {
			continue
		}
		b := Box{float64(m.x0) * g.scaleX, float64(m.y0) * g.scaleY, float64(m.x1) * g.scaleX, float64(m.y1) * g.scaleY}
		if !open {
			out, open = append(out, b), true
			continue
		}
		l := &out[len(out)-1]
		*l = Box{min(l.X0, b.X0), min(l.Y0, b.Y0), max(l.X1, b.X1), max(l.Y1, b.Y1)}
	}
	for i := range out {
		out[i] = out[i].round()
	}
	return out
}

func (b Box) round() Box {
	r := func(v float64) float64 { return math.Round(v*100) / 100 }
	return Box{r(b.X0), r(b.Y0), r(b.X1), r(b.Y1)}
}

// A Place is a stretch of the text of one page, and where it stands on it.
type Place struct {
	Page  int    `json:"page"`  // from 1
	Line  int    `json:"line"`  // of the page's text, from 1, that it begins on; of the raw text where what gives the place knows the whole document, and says so
	Start int    `json:"start"` // byte offsets in the page's text, half-open
	End   int    `json:"end"`
	Text  string `json:"text"`  // as the page has it, line ends included
	Boxes []Box  `json:"boxes"` // see [Page.Locate]; never nil
}

// Place returns the place of bytes [from, to) of the page's text.
func (p *Page) Place(from, to int) Place {
	from = min(max(from, 0), len(p.Text))
	to = min(max(to, from), len(p.Text))
	x := Place{Page: p.Number, Line: 1 + strings.Count(p.Text[:from], "\n"), Start: from, End: to, Text: p.Text[from:to], Boxes: p.Locate(from, to)}
	if x.Boxes == nil {
		x.Boxes = []Box{}
	}
	return x
}

// Find returns the places of a phrase on the page, in the order of the text: words in a row, matched as [Library.Find] does it,
// so that case, line breaks and hyphens at the ends of lines make no difference. A phrase without a word in it is an error
// wrapping docsearch.ErrUnsupported.
func (p *Page) Find(phrase string) ([]Place, error) {
	groups := driver.Groups(phrase)
	if len(groups) == 0 {
		return nil, fmt.Errorf("phrase %q: %w: it contains no word", phrase, errs.Unsupported)
	}
	out := []Place{}
	for _, s := range match.PhraseSpans(match.Tokens(p.Text), groups) {
		out = append(out, p.Place(s.Start, s.End))
	}
	return out, nil
}

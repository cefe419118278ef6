package pdf

import (
	"math"
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/findspot/findspot/docsearch"
)

// A view is a page prepared for finding tables and figures: the words that run to the right, and lines across the page.
type view struct {
	c        *canvas
	lines    []line // in content order
	words    []word
	em       float64 // the usual letter size
	used     []rect  // areas that are tables
	captions []caption
	found    []table
}

// A caption is a line that begins like "Table 3" or "Figure 2".
type caption struct {
	box    rect
	text   string
	figure bool
	used   bool
}

var (
	tableStart  = regexp.MustCompile(`^(?i:table|tab\.|exhibit|tableau|tabelle)\s*([A-Z]?\.?\d+|[IVXL]+\b)`)
	figureStart = regexp.MustCompile(`^(?i:figure|fig\.?|abbildung|abb\.)\s*([A-Z]?\.?\d+|[IVXL]+\b)`)
)

func newView(c *canvas, segs []segment, lines []line, m *layoutMemory) *view {
	v := &view{c: c, lines: lines, words: m.words[:0]}
	for i := range segs {
		if segs[i].dx > .99 && !segs[i].glyphs[0].vertical {
			v.words = segs[i].words(v.words, m)
		}
	}
	m.words = v.words
	sizes := make([]float64, 0, len(v.words))
	for _, w := range v.words {
		sizes = append(sizes, w.size)
	}
	v.em = 10
	if len(sizes) > 0 {
		sort.Float64s(sizes)
		v.em = math.Min(40, math.Max(4, sizes[len(sizes)/2]))
	}
	v.findCaptions()
	return v
}

// findCaptions collects caption lines with the lines of the same block that continue them.
func (v *view) findCaptions() {
	for i := range v.lines {
		l := &v.lines[i]
		t := strings.TrimSpace(l.text)
		fig := figureStart.MatchString(t)
		if !fig && !tableStart.MatchString(t) || l.dx < .99 || !captionShape(t) {
			continue
		}
		c := caption{box: l.box, text: t, figure: fig}
		last := l
		for k := i + 1; k < len(v.lines) && k < i+8; k++ {
			n := &v.lines[k]
			step := n.base - last.base
			if step <= 0 || step > 1.45*math.Max(l.size, n.size) || math.Abs(n.size-l.size) > .15*l.size || n.box.x1 < c.box.x0 || n.box.x0 > c.box.x1 ||
				tableStart.MatchString(n.text) || figureStart.MatchString(n.text) || len(n.segs) > 1 && !fig {
				break
			}
			c.text = joinLines(c.text, strings.TrimSpace(n.text))
			c.box = c.box.union(n.box)
			last = n
		}
		v.captions = append(v.captions, c)
	}
}

// captionShape tells a caption from a sentence that begins with a reference ("Table 3 shows that").
func captionShape(t string) bool {
	m := tableStart.FindString(t)
	if m == "" {
		m = figureStart.FindString(t)
	}
	rest := t[len(m):]
	for len(rest) > 1 && (rest[0] == '.' || rest[0] == '-') && rest[1] >= '0' && rest[1] <= '9' {
		rest = strings.TrimLeft(rest[1:], "0123456789")
	}
	rest = strings.TrimLeft(rest, "abcdefgh()")
	if rest == "" {
		return true
	}
	switch rest[0] {
	case ':', '.', '-', '|':
		return true
	}
	rest = strings.TrimSpace(rest)
	r := []rune(rest)
	return len(r) > 0 && !unicode.IsLower(r[0]) && r[0] != ',' && r[0] != ')' && r[0] != ';'
}

// joinLines appends a line to running text; a word divided at the end of the first is put together.
func joinLines(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	ra, rb := []rune(a), []rune(b)
	n := len(ra)
	if (ra[n-1] == '-' || ra[n-1] == 0x2010 || ra[n-1] == 0xAD) && n > 1 && unicode.IsLetter(ra[n-2]) && unicode.IsLower(rb[0]) {
		return string(ra[:n-1]) + b
	}
	return a + " " + b
}

// A row is the words on one baseline, left to right.
type row struct {
	words []word
	base  float64
	size  float64
}

func (r *row) box() rect {
	b := emptyRect
	for i := range r.words {
		b = b.union(r.words[i].box)
	}
	return b
}

// rows groups words by baseline: words of ordinary size first, then small ones to the row they are raised or lowered on.
func rows(words []word) []row {
	ws := slices.Clone(words)
	sort.SliceStable(ws, func(i, j int) bool { return ws[i].base < ws[j].base })
	var out []row
	for _, w := range ws {
		placed := false
		for k := len(out) - 1; k >= 0 && k >= len(out)-4; k-- {
			r := &out[k]
			d := math.Abs(r.base - w.base)
			small := math.Min(r.size, w.size)
			if d <= .3*small || d <= .5*math.Max(r.size, w.size) && small <= .8*math.Max(r.size, w.size) && touches(r, w) {
				if w.size > r.size {
					r.size, r.base = w.size, w.base
				}
				r.words = append(r.words, w)
				placed = true
				break
			}
		}
		if !placed {
			out = append(out, row{words: []word{w}, base: w.base, size: w.size})
		}
	}
	for i := range out {
		sort.SliceStable(out[i].words, func(a, b int) bool { return out[i].words[a].box.x0 < out[i].words[b].box.x0 })
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].base < out[j].base })
	return out
}

func touches(r *row, w word) bool {
	for i := range r.words {
		b := r.words[i].box
		if math.Abs(b.x1-w.box.x0) < .35*r.words[i].size || math.Abs(w.box.x1-b.x0) < .35*r.words[i].size {
			return true
		}
	}
	return false
}

// A piece is a part of a row without a gap wider than given.
type piece struct {
	text  string
	box   rect
	words int
}

func (r *row) pieces(gap float64) []piece {
	var out []piece
	for i := range r.words {
		w := &r.words[i]
		if n := len(out); n > 0 && w.box.x0-out[n-1].box.x1 < gap*r.size {
			p := &out[n-1]
			if w.box.x0-p.box.x1 > .1*r.size {
				p.text += " "
			}
			p.text += w.text
			p.box = p.box.union(w.box)
			p.words++
			continue
		}
		out = append(out, piece{w.text, w.box, 1})
	}
	return out
}

var numericCell = regexp.MustCompile(`^[<>≤≥~±+\-−–—(\[]*\s*[$€£¥%]?\s*[+\-−–]?\s*(\d[\d.,'\s]*)([eE×x][+\-−\d]+)?\s*[%‰)\]*†‡a-e]{0,4}(\s*[-–/±(]\s*[\d.,]+\s*[%)]*)?$|^[-–—−.…]+$|^(?i:n/?a|n\.a\.|yes|no|nil|✓|✗|x)$`)

func numeric(s string) bool { return numericCell.MatchString(strings.TrimSpace(s)) }

func inArea(words []word, r rect) []word {
	var out []word
	for i := range words {
		w := &words[i]
		if r.has(w.box.midX(), w.base-.3*w.size) {
			out = append(out, *w)
		}
	}
	return out
}

func toBox(r rect) docsearch.Box {
	round := func(v float64) float64 { return math.Round(v*100) / 100 }
	return docsearch.Box{X0: round(r.x0), Y0: round(r.y0), X1: round(r.x1), Y1: round(r.y1)}
}

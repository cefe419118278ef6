package pdf

import (
	"math"
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
)

// A caption is a line that begins like "Table 3" or "Figure 2".
type caption struct {
	box    geometry.Rect
	text   string
	figure bool
	used   bool
}

var (
	// Besides English, German and French: Chinese, Japanese, Korean and Russian.
	tableStart  = pattern{regexp.MustCompile(`^(?:(?i:table|tab\.|exhibit|tableau|tabelle)|表|표|Таблица|Табл\.)\s*([A-Z]?\.?\d+|[IVXL]+\b)`), begins("te\xe8\xed\xd0")}
	figureStart = pattern{regexp.MustCompile(`^(?:(?i:figure|fig\.?|abbildung|abb\.)|图|圖|図|그림|Рисунок|Рис\.)\s*([A-Z]?\.?\d+|[IVXL]+\b)`), begins("fa\xe5\xea\xd0")}
)

// findCaptions collects caption lines with the lines of the same block that continue them. Lines on their side count, as
// captions of tables on their side.
func (v *view) findCaptions() {
	for i := range v.lines {
		l := &v.lines[i]
		t := strings.TrimSpace(l.text)
		fig := figureStart.MatchString(t)
		if !fig && !tableStart.MatchString(t) || !captionShape(t) {
			continue
		}
		turn, ok := l.turn()
		if !ok {
			continue
		}
		fr := frame{turn, v.c.Width, v.c.Height}
		c := caption{box: l.box, text: t, figure: fig}
		own := fr.turned(l.box)
		bottom := own.Y1
		for k := i + 1; k < len(v.lines) && k < i+8; k++ {
			n := &v.lines[k]
			b := fr.turned(n.box)
			step := b.Y1 - bottom
			if step <= 0 || step > 1.45*max(l.size, n.size) || math.Abs(n.size-l.size) > .15*l.size || b.X1 < own.X0 || b.X0 > own.X1 ||
				tableStart.MatchString(n.text) || figureStart.MatchString(n.text) || len(n.segs) > 1 && !fig {
				break
			}
			if t, ok := n.turn(); !ok || t != turn {
				break
			}
			c.text = v.words.joinLines(c.text, strings.TrimSpace(n.text))
			c.box, own, bottom = c.box.Union(n.box), own.Union(b), b.Y1
		}
		v.captions = append(v.captions, c)
	}
}

// turn is the number of quarter turns after which a line runs to the right; not ok for slanted and vertical lines.
func (l *line) turn() (turns int, ok bool) {
	g := &l.segs[0].glyphs[0]
	if g.Vertical {
		return 0, false
	}
	for t := range 4 {
		if (frame{turn: t}).along(g.Dx, g.Dy) {
			return t, true
		}
	}
	return 0, false
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
	if m[0] >= 0xE3 { // East Asian writing has no capitals: a sentence goes on without a mark
		r, _ := utf8.DecodeRuneInString(rest)
		return strings.ContainsRune(":：.．\u3000", r) || r == ' ' && !strings.ContainsAny(rest, "，。、")
	}
	switch rest[0] {
	case ':', '.', '-', '|':
		return true
	}
	rest = strings.TrimSpace(rest)
	r := []rune(rest)
	return len(r) > 0 && !unicode.IsLower(r[0]) && r[0] != ',' && r[0] != ')' && r[0] != ';'
}

// captionFor finds the caption within 6 em above or 4.5 em below a table, 100 points of a figure.
func (v *view) captionFor(b geometry.Rect, figure bool) *caption {
	above, below := 6*v.em, 4.5*v.em
	if figure {
		above, below = 100, 100
	}
	var best *caption
	dist := math.Inf(1)
	for i := range v.captions {
		c := &v.captions[i]
		if c.figure != figure || c.used || c.box.X1 < b.X0 || c.box.X0 > b.X1 {
			continue
		}
		d := math.Inf(1)
		switch {
		case c.box.Y1 <= b.Y0+v.em && b.Y0-c.box.Y1 <= above:
			d = math.Abs(b.Y0 - c.box.Y1)
			if figure {
				d += 5 // figures have theirs beneath
			}
		case c.box.Y0 >= b.Y1-v.em && c.box.Y0-b.Y1 <= below:
			d = math.Abs(c.box.Y0 - b.Y1)
		case c.box.Overlaps(b):
			d = 0
		}
		if d < dist {
			best, dist = c, d
		}
	}
	return best
}

// caption finds a caption that a table in an area could have: within 6 em above it, 4.5 em beneath, or in it, and nearer
// than a figure's. Nil when there is none.
func (f *finder) caption(b geometry.Rect) *caption {
	var best *caption
	dist := math.Inf(1)
	for i := range f.captions {
		p := &f.captions[i]
		if d := math.Min(f.captionDistance(p, b, true), f.captionDistance(p, b, false)); d < dist {
			best, dist = p.of, d
		}
	}
	if best == nil || best.figure {
		return nil
	}
	return best
}

// captionDistance is how far a caption lies above a table, or beneath it; infinite when too far or on the other side. A
// caption in the table's area is at no distance from it.
func (f *finder) captionDistance(p *placed, b geometry.Rect, above bool) float64 {
	switch {
	case p.box.X1 < b.X0 || p.box.X0 > b.X1:
	case p.box.Y0 >= b.Y0-.1*f.em && p.box.Y1 <= b.Y1+.1*f.em:
		return 0
	case above && p.box.Y1 <= b.Y0+f.em && b.Y0-p.box.Y1 <= 6*f.em && !f.textBetween(p.box.Y1, b.Y0, b):
		return math.Abs(b.Y0 - p.box.Y1)
	case !above && p.box.Y0 >= b.Y1-f.em && p.box.Y0-b.Y1 <= 4.5*f.em && !f.textBetween(b.Y1, p.box.Y0, b):
		return math.Abs(p.box.Y0 - b.Y1)
	}
	return math.Inf(1)
}

// textBetween reports whether lines of running text lie between two heights over an area.
func (f *finder) textBetween(y0, y1 float64, b geometry.Rect) bool {
	n := 0
	for _, r := range between(f.rows, geometry.NewRect(b.X0, y0+.3*f.em, b.X1, y1-.3*f.em)) {
		if len(r.words) >= 7 && prose(r.words, r.size) {
			n++
		}
	}
	return n >= 2
}

// assignCaptions gives each table its caption. Documents set captions above their tables or beneath them: the side that
// serves more tables of the page goes first, then the nearer one.
func (f *finder) assignCaptions() {
	type pair struct {
		t, c int
		d    float64
	}
	match := func(above bool) (ps []pair, sum float64) {
		for t := range f.found {
			for c := range f.captions {
				if p := &f.captions[c]; !p.of.figure {
					if d := f.captionDistance(p, f.found[t].box, above); !math.IsInf(d, 1) {
						ps = append(ps, pair{t, c, d})
					}
				}
			}
		}
		sort.SliceStable(ps, func(i, j int) bool { return ps[i].d < ps[j].d })
		usedT, usedC := map[int]bool{}, map[int]bool{}
		kept := ps[:0]
		for _, p := range ps {
			if !usedT[p.t] && !usedC[p.c] {
				usedT[p.t], usedC[p.c] = true, true
				kept = append(kept, p)
				sum += p.d
			}
		}
		return kept, sum
	}
	for i := range f.found {
		f.found[i].caption = nil
	}
	above, sumAbove := match(true)
	below, sumBelow := match(false)
	first, second := above, below
	if len(below) > len(above) || len(below) == len(above) && sumBelow < sumAbove {
		first, second = below, above
	}
	for _, p := range append(slices.Clone(first), second...) {
		if t, c := &f.found[p.t], f.captions[p.c].of; t.caption == nil && !c.used {
			t.caption, c.used = c, true
		}
	}
}

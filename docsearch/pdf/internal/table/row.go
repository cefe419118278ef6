package table

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/font"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
	"github.com/findspot/findspot/docsearch/pdf/internal/layout"
)

// Distances of words and rows in tables, in ems.
const (
	wordGap   = .17 // a wider gap divides words
	wordBack  = .5  // a step back wider than this divides words
	wordRise  = .1  // so does a change of the baseline
	rowRise   = .3  // words this far off a baseline are still on it
	smallSize = .8  // superscripts are at most this large
	touchGap  = .35 // superscripts begin this near to a word
)

const maxTableWords = 20_000 // words of a page looked at for tables

// tableWords cuts the glyphs that run to the right in a frame into words. Boxes come from the size of the letters;
// boxes stated in fonts are not to be trusted. Nil when there are too many.
func tableWords(c *content.Canvas, f layout.Frame, m *Memory) []word {
	out := m.words[:0]
	size := 0
	for i := range c.Glyphs {
		size += len(c.Glyphs[i].Text)
	}
	var text strings.Builder // of all words, which are parts of it
	text.Grow(size)
	start := 0
	var cur word
	var rtl, open bool
	var parts []int
	var ex float64
	flush := func() {
		if !open {
			return
		}
		open = false
		cur.text = strings.TrimSpace(text.String()[start:])
		if rtl { // the layout knows which way such glyphs are read
			var glyphs []content.Glyph
			for _, i := range parts {
				glyphs = append(glyphs, c.Glyphs[i])
			}
			if t := layout.ReadingText(glyphs); utf8.RuneCountInString(t) == utf8.RuneCountInString(cur.text) {
				cur.text = t
			}
		}
		if cur.text != "" {
			cur.box.Y0, cur.box.Y1 = cur.base-.75*cur.size, cur.base+.22*cur.size
			out = append(out, cur)
		}
	}
	for i := range c.Glyphs {
		g := &c.Glyphs[i]
		if g.Text == "" || g.Vertical || g.Size < 2 || !f.Along(g.Dx, g.Dy) {
			continue
		}
		if layout.IsBlank(g.Text) {
			flush()
			continue
		}
		x0, y := f.Point(g.X, g.Y)
		x1, _ := f.Point(g.EndX, g.EndY)
		right := layout.IsRTLGlyph(g)
		if open {
			gap := x0 - ex
			if rtl || right { // drawn in either direction
				gap = max(x0-cur.box.X1, cur.box.X0-x1)
			}
			if gap > wordGap*g.Size || gap < -wordBack*g.Size && !right || math.Abs(y-cur.base) > wordRise*g.Size || g.Size < .75*cur.size || g.Size*.75 > cur.size {
				flush()
				if len(out) > maxTableWords {
					return nil
				}
			}
		}
		if !open {
			open, rtl = true, false
			start, parts = text.Len(), parts[:0]
			cur = word{box: geometry.Rect{X0: x0, X1: x1}, base: y, size: g.Size, font: g.Font}
		}
		rtl = rtl || right
		text.WriteString(g.Text)
		parts = append(parts, i)
		cur.box.X0, cur.box.X1 = min(cur.box.X0, x0), max(cur.box.X1, x1)
		ex = x1
	}
	flush()
	m.words = out
	return out
}

// A row is the words on one baseline, left to right.
type row struct {
	words []word
	base  float64
	size  float64
}

func (r *row) box() geometry.Rect {
	b := geometry.Empty()
	for i := range r.words {
		b = b.Union(r.words[i].box)
	}
	return b
}

func (r *row) piece() piece { return piece{r.words, r.size} }
func (r *row) x0() float64  { return r.piece().x0() }
func (r *row) x1() float64  { return r.piece().x1() }
func (r *row) text() string { return r.piece().text() }

// rows groups words by baseline, large words first, so that superscripts and subscripts find the row they belong to.
// Rows come from top to bottom.
func rows(words []word) []row { return new(rowMemory).group(words) }

// A rowMemory is what rows take to be made. It may be used again; rows and words made with it are then overwritten.
type rowMemory struct {
	links []int32
	open  []rowWords
	rows  []row
	words []word
}

func (m *rowMemory) group(words []word) []row {
	m.links = slices.Grow(m.links[:0], 2*len(words))
	order, next := m.links[:len(words)], m.links[len(words):2*len(words)] // next: the word after one in its row
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(i, j int32) int {
		a, b := &words[i], &words[j]
		if a.size > b.size*1.02 || b.size > a.size*1.02 {
			return cmp.Compare(b.size, a.size)
		}
		return cmp.Compare(a.base, b.base)
	})
	out := m.open[:0] // by baseline
	for _, k := range order {
		w := &words[k]
		next[k] = -1
		at := sort.Search(len(out), func(i int) bool { return out[i].base >= w.base })
		best, dist := -1, math.Inf(1)
		for _, dir := range [2]int{-1, 1} {
			i := at
			if dir < 0 {
				i--
			}
			for ; i >= 0 && i < len(out); i += dir {
				r := &out[i]
				d := math.Abs(r.base - w.base)
				if d > .65*r.size && d > rowRise*w.size {
					break
				}
				if d < dist && r.takes(w, words, next) {
					best, dist = i, d
				}
			}
		}
		if best >= 0 {
			r := &out[best]
			next[r.last], r.last = k, k
			continue
		}
		out = slices.Insert(out, at, rowWords{first: k, last: k, base: w.base, size: w.size})
	}
	m.open = out
	m.rows = slices.Grow(m.rows[:0], len(out))
	m.words = slices.Grow(m.words[:0], len(words))
	res, all := m.rows[:len(out)], m.words
	for i := range out {
		from := len(all)
		for k := out[i].first; k >= 0; k = next[k] {
			all = append(all, words[k])
		}
		ws := all[from:len(all):len(all)]
		if byX := func(a, b word) int { return cmp.Compare(a.box.X0, b.box.X0) }; !slices.IsSortedFunc(ws, byX) {
			slices.SortStableFunc(ws, byX)
		}
		ws = foldLeaders(ws)
		ws = slices.CompactFunc(ws, func(a, b word) bool { // bold by printing twice
			return a.text == b.text && math.Abs(b.box.X0-a.box.X0) < .1*a.size
		})
		res[i] = row{ws, out[i].base, out[i].size}
	}
	m.rows, m.words = res, all
	return res
}

// foldLeaders puts dots that lead the eye across a row, three and more words of them in succession, to the word before
// them. They keep their place in the text and take none on the page, else they would stand in the way of columns.
func foldLeaders(ws []word) []word {
	out := ws[:0]
	for i := 0; i < len(ws); {
		j := i
		for j < len(ws) && strings.Trim(ws[j].text, ".·…") == "" && (j == i || ws[j].box.X0-ws[j-1].box.X1 < 1.5*ws[j].size) {
			j++
		}
		if j-i < 3 || len(out) == 0 {
			out = append(out, ws[i:max(j, i+1)]...)
			i = max(j, i+1)
			continue
		}
		last := &out[len(out)-1]
		last.text += strings.Repeat(" .", j-i)
		i = j
	}
	return out
}

// rowWords is a row in the making: its words by number, linked in the order in which they came.
type rowWords struct {
	first, last int32
	base, size  float64
}

// takes reports whether a word stands on the row.
func (r *rowWords) takes(w *word, words []word, next []int32) bool {
	d := r.base - w.base // above the baseline is positive
	if math.Abs(d) <= rowRise*min(r.size, w.size) {
		return true
	}
	if w.size > smallSize*r.size || d < -.25*r.size || d > .6*r.size {
		return false
	}
	for k := r.first; k >= 0; k = next[k] {
		b := &words[k].box
		if math.Abs(b.X1-w.box.X0) < touchGap*r.size || math.Abs(w.box.X1-b.X0) < touchGap*r.size {
			return true
		}
	}
	return false
}

// A piece is a part of a row without a gap wider than given. Its words are those of the row.
type piece struct {
	words []word
	size  float64 // of the row
}

func (p piece) x0() float64 { return p.words[0].box.X0 }

func (p piece) x1() float64 {
	x := p.words[0].box.X1
	for i := range p.words {
		x = max(x, p.words[i].box.X1)
	}
	return x
}

func (p piece) mid() float64 { return (p.x0() + p.x1()) / 2 }

// text joins the words; those of a line that runs from the right are read from there.
func (p piece) text() string {
	if len(p.words) == 1 {
		return p.words[0].text
	}
	rtl := 0
	for i := range p.words {
		if r, _ := utf8.DecodeRuneInString(p.words[i].text); layout.IsRTL(r) {
			rtl++
		}
	}
	var b strings.Builder
	for i := range p.words {
		w, last := &p.words[i], i-1
		if rtl*2 > len(p.words) {
			w, last = &p.words[len(p.words)-1-i], len(p.words)-i
		}
		if i > 0 && math.Abs(w.box.MidX()-p.words[last].box.MidX())-(w.box.Width()+p.words[last].box.Width())/2 > .1*p.size {
			b.WriteByte(' ')
		}
		b.WriteString(w.text)
	}
	return b.String()
}

// pieces cuts a row at gaps of that many ems.
func (r *row) pieces(gap float64) []piece {
	var out []piece
	start, end := 0, math.Inf(-1)
	for i := range r.words {
		w := &r.words[i]
		if i > start && w.box.X0-end >= gap*r.size {
			out = append(out, piece{r.words[start:i], r.size})
			start = i
		}
		end = max(end, w.box.X1)
	}
	return append(out, piece{r.words[start:], r.size})
}

// split reports whether a row has a gap of that many ems.
func (r *row) split(gap float64) bool {
	end := r.words[0].box.X1
	for i := 1; i < len(r.words); i++ {
		if r.words[i].box.X0-end >= gap*r.size {
			return true
		}
		end = max(end, r.words[i].box.X1)
	}
	return false
}

// cut divides the words of a row at a place where it has a gap of that many ems. Both are nil when it has none.
func (r *row) cut(x, gap float64) (left, right []word) {
	k := 0
	end := math.Inf(-1)
	for k < len(r.words) && r.words[k].box.MidX() < x {
		end = math.Max(end, r.words[k].box.X1)
		k++
	}
	next := math.Inf(1)
	if k < len(r.words) {
		next = r.words[k].box.X0
	}
	if end > x || next < x || next-end < gap*r.size {
		return nil, nil
	}
	return r.words[:k], r.words[k:]
}

// prose reports whether words are a line of running text.
func prose(ws []word, size float64) bool {
	if len(ws) < 4 || float64(alphaWords(ws)) < .6*float64(len(ws)) {
		return false
	}
	r := row{words: ws, size: size}
	return !r.split(1.3)
}

// between returns the words of rows that lie in an area, by the middle of their letters, as rows.
func between(rs []row, a geometry.Rect) []row {
	lo := sort.Search(len(rs), func(i int) bool { return rs[i].base >= a.Y0 })
	var out []row
	for i := lo; i < len(rs) && rs[i].base-rs[i].size <= a.Y1; i++ {
		r := &rs[i]
		if y := r.base - .3*r.size; y < a.Y0 || y > a.Y1 {
			continue
		}
		var ws []word
		for k := range r.words {
			if x := r.words[k].box.MidX(); x >= a.X0 && x <= a.X1 {
				ws = append(ws, r.words[k])
			}
		}
		if ws != nil {
			out = append(out, row{ws, r.base, r.size})
		}
	}
	return out
}

// cellText is the text of words that make a cell, its lines joined.
func cellText(v *layout.Vocabulary, ws []word) string {
	t := ""
	for _, r := range rows(ws) {
		t = v.JoinLines(t, r.text())
	}
	return t
}

// usualSize is the median size of words, within bounds.
func usualSize(rs []row) float64 {
	var sizes []float64
	for i := range rs {
		for k := range rs[i].words {
			sizes = append(sizes, rs[i].words[k].size)
		}
	}
	return geometry.Em(sizes)
}

// A word is a run of glyphs without a gap.
type word struct {
	text string
	box  geometry.Rect
	base float64 // baseline
	size float64
	font *font.Font
}

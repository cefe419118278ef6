package tabular

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
	"github.com/findspot/findspot/internal/hyphen"
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

// Words cuts the glyphs that run to the right in a frame into words. Boxes come from the size of the letters;
// boxes stated in fonts are not to be trusted. Nil when there are too many.
func Words(c *content.Canvas, f layout.Frame, m *Memory) []Word {
	out := m.words[:0]
	size := 0
	for i := range c.Glyphs {
		size += len(c.Glyphs[i].Text)
	}
	var text strings.Builder // of all words, which are parts of it
	text.Grow(size)
	start := 0
	var cur Word
	var rtl, open bool
	var parts []int
	var ex float64
	flush := func() {
		if !open {
			return
		}
		open = false
		cur.Text = strings.TrimSpace(text.String()[start:])
		if rtl { // the layout knows which way such glyphs are read
			var glyphs []content.Glyph
			for _, i := range parts {
				glyphs = append(glyphs, c.Glyphs[i])
			}
			if t := layout.ReadingText(glyphs); utf8.RuneCountInString(t) == utf8.RuneCountInString(cur.Text) {
				cur.Text = t
			}
		}
		if cur.Text != "" {
			cur.Box.Y0, cur.Box.Y1 = cur.Base-.75*cur.Size, cur.Base+.22*cur.Size
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
				gap = max(x0-cur.Box.X1, cur.Box.X0-x1)
			}
			if gap > wordGap*g.Size || gap < -wordBack*g.Size && !right || math.Abs(y-cur.Base) > wordRise*g.Size || g.Size < .75*cur.Size || g.Size*.75 > cur.Size {
				flush()
				if len(out) > maxTableWords {
					return nil
				}
			}
		}
		if !open {
			open, rtl = true, false
			start, parts = text.Len(), parts[:0]
			cur = Word{Box: geometry.Rect{X0: x0, X1: x1}, Base: y, Size: g.Size, font: g.Font}
		}
		rtl = rtl || right
		text.WriteString(g.Text)
		parts = append(parts, i)
		cur.Box.X0, cur.Box.X1 = min(cur.Box.X0, x0), max(cur.Box.X1, x1)
		ex = x1
	}
	flush()
	m.words = out
	return out
}

// A Row is the words on one baseline, left to right.
type Row struct {
	Words []Word
	Base  float64
	Size  float64
}

// Box is the area of the row's words.
func (r *Row) Box() geometry.Rect {
	b := geometry.Empty()
	for i := range r.Words {
		b = b.Union(r.Words[i].Box)
	}
	return b
}

// Part returns the words from one number up to another.
func (r *Row) Part(from, to int) Piece { return Piece{r.Words[from:to], r.Size} }

// With returns a row on the same baseline with other words.
func (r *Row) With(words []Word) Row { return Row{words, r.Base, r.Size} }

// X0 and X1 are where the row begins and ends, Text is what it says.
func (r *Row) X0() float64  { return r.Part(0, len(r.Words)).X0() }
func (r *Row) X1() float64  { return r.Part(0, len(r.Words)).X1() }
func (r *Row) Text() string { return r.Part(0, len(r.Words)).Text() }

// Rows groups words by baseline, large words first, so that superscripts and subscripts find the row they belong to.
// Rows come from top to bottom.
func Rows(words []Word) []Row { return new(rowMemory).group(words) }

// A rowMemory is what rows take to be made. It may be used again; rows and words made with it are then overwritten.
type rowMemory struct {
	links []int32
	open  []rowWords
	rows  []Row
	words []Word
}

func (m *rowMemory) group(words []Word) []Row {
	m.links = slices.Grow(m.links[:0], 2*len(words))
	order, next := m.links[:len(words)], m.links[len(words):2*len(words)] // next: the word after one in its row
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(i, j int32) int {
		a, b := &words[i], &words[j]
		if a.Size > b.Size*1.02 || b.Size > a.Size*1.02 {
			return cmp.Compare(b.Size, a.Size)
		}
		return cmp.Compare(a.Base, b.Base)
	})
	out := m.open[:0] // by baseline
	for _, k := range order {
		w := &words[k]
		next[k] = -1
		at := sort.Search(len(out), func(i int) bool { return out[i].base >= w.Base })
		best, dist := -1, math.Inf(1)
		for _, dir := range [2]int{-1, 1} {
			i := at
			if dir < 0 {
				i--
			}
			for ; i >= 0 && i < len(out); i += dir {
				r := &out[i]
				d := math.Abs(r.base - w.Base)
				if d > .65*r.size && d > rowRise*w.Size {
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
		out = slices.Insert(out, at, rowWords{first: k, last: k, base: w.Base, size: w.Size})
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
		if byX := func(a, b Word) int { return cmp.Compare(a.Box.X0, b.Box.X0) }; !slices.IsSortedFunc(ws, byX) {
			slices.SortStableFunc(ws, byX)
		}
		ws = foldLeaders(ws)
		ws = slices.CompactFunc(ws, func(a, b Word) bool { // bold by printing twice
			return a.Text == b.Text && math.Abs(b.Box.X0-a.Box.X0) < .1*a.Size
		})
		res[i] = Row{ws, out[i].base, out[i].size}
	}
	m.rows, m.words = res, all
	return res
}

// foldLeaders puts dots that lead the eye across a row, three and more words of them in succession, to the word before
// them. They keep their place in the text and take none on the page, else they would stand in the way of columns.
func foldLeaders(ws []Word) []Word {
	out := ws[:0]
	for i := 0; i < len(ws); {
		j := i
		for j < len(ws) && strings.Trim(ws[j].Text, ".·…") == "" && (j == i || ws[j].Box.X0-ws[j-1].Box.X1 < 1.5*ws[j].Size) {
			j++
		}
		if j-i < 3 || len(out) == 0 {
			out = append(out, ws[i:max(j, i+1)]...)
			i = max(j, i+1)
			continue
		}
		last := &out[len(out)-1]
		last.Text += strings.Repeat(" .", j-i)
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
func (r *rowWords) takes(w *Word, words []Word, next []int32) bool {
	d := r.base - w.Base // above the baseline is positive
	if math.Abs(d) <= rowRise*min(r.size, w.Size) {
		return true
	}
	if w.Size > smallSize*r.size || d < -.25*r.size || d > .6*r.size {
		return false
	}
	for k := r.first; k >= 0; k = next[k] {
		b := &words[k].Box
		if math.Abs(b.X1-w.Box.X0) < touchGap*r.size || math.Abs(w.Box.X1-b.X0) < touchGap*r.size {
			return true
		}
	}
	return false
}

// A Piece is a part of a row without a gap wider than given. Its words are those of the row.
type Piece struct {
	Words []Word
	Size  float64 // of the row
}

// Part returns the words from one number up to another.
func (p Piece) Part(from, to int) Piece { return Piece{p.Words[from:to], p.Size} }

// X0 and X1 are where the piece begins and ends, Mid is its middle.
func (p Piece) X0() float64 { return p.Words[0].Box.X0 }

func (p Piece) X1() float64 {
	x := p.Words[0].Box.X1
	for i := range p.Words {
		x = max(x, p.Words[i].Box.X1)
	}
	return x
}

func (p Piece) Mid() float64 { return (p.X0() + p.X1()) / 2 }

// Text joins the words; those of a line that runs from the right are read from there.
func (p Piece) Text() string {
	if len(p.Words) == 1 {
		return p.Words[0].Text
	}
	rtl := 0
	for i := range p.Words {
		if r, _ := utf8.DecodeRuneInString(p.Words[i].Text); layout.IsRTL(r) {
			rtl++
		}
	}
	var b strings.Builder
	for i := range p.Words {
		w, last := &p.Words[i], i-1
		if rtl*2 > len(p.Words) {
			w, last = &p.Words[len(p.Words)-1-i], len(p.Words)-i
		}
		if i > 0 && math.Abs(w.Box.MidX()-p.Words[last].Box.MidX())-(w.Box.Width()+p.Words[last].Box.Width())/2 > .1*p.Size {
			b.WriteByte(' ')
		}
		b.WriteString(w.Text)
	}
	return b.String()
}

// Pieces cuts a row at gaps of that many ems.
func (r *Row) Pieces(gap float64) []Piece {
	var out []Piece
	start, end := 0, math.Inf(-1)
	for i := range r.Words {
		w := &r.Words[i]
		if i > start && w.Box.X0-end >= gap*r.Size {
			out = append(out, r.Part(start, i))
			start = i
		}
		end = max(end, w.Box.X1)
	}
	return append(out, r.Part(start, len(r.Words)))
}

// Split reports whether a row has a gap of that many ems.
func (r *Row) Split(gap float64) bool {
	end := r.Words[0].Box.X1
	for i := 1; i < len(r.Words); i++ {
		if r.Words[i].Box.X0-end >= gap*r.Size {
			return true
		}
		end = max(end, r.Words[i].Box.X1)
	}
	return false
}

// Cut divides the words of a row at a place where it has a gap of that many ems. Both are nil when it has none.
func (r *Row) Cut(x, gap float64) (left, right []Word) {
	k := 0
	end := math.Inf(-1)
	for k < len(r.Words) && r.Words[k].Box.MidX() < x {
		end = math.Max(end, r.Words[k].Box.X1)
		k++
	}
	next := math.Inf(1)
	if k < len(r.Words) {
		next = r.Words[k].Box.X0
	}
	if end > x || next < x || next-end < gap*r.Size {
		return nil, nil
	}
	return r.Words[:k], r.Words[k:]
}

// Prose reports whether words are a line of running text.
func Prose(ws []Word, size float64) bool {
	if len(ws) < 4 || float64(AlphaWords(ws)) < .6*float64(len(ws)) {
		return false
	}
	r := Row{Words: ws, Size: size}
	return !r.Split(1.3)
}

// Between returns the words of rows that lie in an area, by the middle of their letters, as rows.
func Between(rs []Row, a geometry.Rect) []Row {
	lo := sort.Search(len(rs), func(i int) bool { return rs[i].Base >= a.Y0 })
	var out []Row
	for i := lo; i < len(rs) && rs[i].Base-rs[i].Size <= a.Y1; i++ {
		r := &rs[i]
		if y := r.Base - .3*r.Size; y < a.Y0 || y > a.Y1 {
			continue
		}
		var ws []Word
		for k := range r.Words {
			if x := r.Words[k].Box.MidX(); x >= a.X0 && x <= a.X1 {
				ws = append(ws, r.Words[k])
			}
		}
		if ws != nil {
			out = append(out, r.With(ws))
		}
	}
	return out
}

// CellText is the text of words that make a cell, its lines joined.
func CellText(v *hyphen.Vocabulary, ws []Word) string {
	t := ""
	for _, r := range Rows(ws) {
		t = v.JoinLines(t, r.Text())
	}
	return t
}

// Em is the median size of words, within bounds.
func Em(rs []Row) float64 {
	var sizes []float64
	for i := range rs {
		for k := range rs[i].Words {
			sizes = append(sizes, rs[i].Words[k].Size)
		}
	}
	return geometry.Em(sizes)
}

// A Word is a run of glyphs without a gap.
type Word struct {
	Text string
	Box  geometry.Rect
	Base float64 // baseline
	Size float64
	font *font.Font
}

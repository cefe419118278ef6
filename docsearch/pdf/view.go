package pdf

import (
	"math"
	"sort"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
)

// A view is a page prepared for finding tables and figures.
type view struct {
	c        *content.Canvas
	memory   *layoutMemory
	words    *style
	lines    []line          // in content order
	em       float64         // the usual letter size
	used     []geometry.Rect // areas that are tables
	captions []caption
	found    []table
	ends     tableEnds
}

// newView prepares a page. words, which may be nil, say where a divided word keeps its hyphen.
func newView(c *content.Canvas, segs []segment, lines []line, m *layoutMemory, words *style) *view {
	v := &view{c: c, lines: lines, memory: m, words: words}
	sizes := make([]float64, 0, len(segs))
	for i := range segs {
		sizes = append(sizes, segs[i].size)
	}
	v.em = 10
	if len(sizes) > 0 {
		sort.Float64s(sizes)
		v.em = math.Min(40, math.Max(4, sizes[len(sizes)/2]))
	}
	v.findCaptions()
	return v
}

// joinLines appends a line to running text; a word divided at the end of the first is put together.
func joinLines(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	hyphen, size := utf8.DecodeLastRuneInString(a)
	if hyphen == '-' || hyphen == 0x2010 || hyphen == 0xAD {
		before, _ := utf8.DecodeLastRuneInString(a[:len(a)-size])
		after, _ := utf8.DecodeRuneInString(b)
		if unicode.IsLetter(before) && unicode.IsLower(after) {
			return a[:len(a)-size] + b
		}
	}
	return a + " " + b
}

func toBox(r geometry.Rect) docsearch.Box {
	round := func(v float64) float64 { return math.Round(v*100) / 100 }
	return docsearch.Box{X0: round(r.X0), Y0: round(r.Y0), X1: round(r.X1), Y1: round(r.Y1)}
}

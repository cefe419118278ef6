package pdf

import (
	"math"
	"sort"

	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/layout"
)

// A view is a page prepared for finding tables and figures.
type view struct {
	c        *content.Canvas
	words    *layout.Vocabulary
	lines    []layout.Line // in content order
	em       float64       // the usual letter size
	captions []caption
}

// newView prepares a page. words, which may be nil, say where a divided word keeps its hyphen.
func newView(c *content.Canvas, segs []layout.Segment, lines []layout.Line, words *layout.Vocabulary) *view {
	v := &view{c: c, lines: lines, words: words}
	sizes := make([]float64, 0, len(segs))
	for i := range segs {
		sizes = append(sizes, segs[i].Size)
	}
	v.em = 10
	if len(sizes) > 0 {
		sort.Float64s(sizes)
		v.em = math.Min(40, math.Max(4, sizes[len(sizes)/2]))
	}
	v.findCaptions()
	return v
}

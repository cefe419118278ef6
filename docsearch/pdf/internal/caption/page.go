package caption

import (
	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
	"github.com/findspot/findspot/docsearch/pdf/internal/layout"
	"github.com/findspot/findspot/internal/hyphen"
)

// A Page is a page prepared for finding tables and figures.
type Page struct {
	Canvas   *content.Canvas
	Words    *hyphen.Vocabulary
	Lines    []layout.Line // in content order
	Em       float64       // the usual letter size
	Captions []Caption
}

// NewPage prepares a page. words, which may be nil, say where a divided word keeps its hyphen.
func NewPage(c *content.Canvas, segs []layout.Segment, lines []layout.Line, words *hyphen.Vocabulary) *Page {
	v := &Page{Canvas: c, Lines: lines, Words: words}
	sizes := make([]float64, 0, len(segs))
	for i := range segs {
		sizes = append(sizes, segs[i].Size)
	}
	v.Em = geometry.Em(sizes)
	v.findCaptions()
	return v
}

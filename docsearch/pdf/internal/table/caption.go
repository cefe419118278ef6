package table

import (
	"math"
	"slices"
	"sort"

	"github.com/findspot/findspot/docsearch/pdf/internal/caption"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
	"github.com/findspot/findspot/docsearch/pdf/internal/tabular"
)

// captionNear finds a caption that a table in an area could have: within 6 em above it, 4.5 em beneath, or in it, and nearer
// than a figure's. Nil when there is none.
func captionNear(f *finder, b geometry.Rect) *caption.Caption {
	var best *caption.Caption
	dist := math.Inf(1)
	for i := range f.captions {
		p := &f.captions[i]
		if d := math.Min(captionDistance(f, p, b, true), captionDistance(f, p, b, false)); d < dist {
			best, dist = p.of, d
		}
	}
	if best == nil || best.Figure {
		return nil
	}
	return best
}

// captionDistance is how far a caption lies above a table, or beneath it; infinite when too far or on the other side. A
// caption in the table's area is at no distance from it.
func captionDistance(f *finder, p *placed, b geometry.Rect, above bool) float64 {
	switch {
	case p.box.X1 < b.X0 || p.box.X0 > b.X1:
	case p.box.Y0 >= b.Y0-.1*f.em && p.box.Y1 <= b.Y1+.1*f.em:
		return 0
	case above && p.box.Y1 <= b.Y0+f.em && b.Y0-p.box.Y1 <= 6*f.em && !textBetween(f, p.box.Y1, b.Y0, b):
		return math.Abs(b.Y0 - p.box.Y1)
	case !above && p.box.Y0 >= b.Y1-f.em && p.box.Y0-b.Y1 <= 4.5*f.em && !textBetween(f, b.Y1, p.box.Y0, b):
		return math.Abs(p.box.Y0 - b.Y1)
	}
	return math.Inf(1)
}

// textBetween reports whether lines of running text lie between two heights over an area.
func textBetween(f *finder, y0, y1 float64, b geometry.Rect) bool {
	n := 0
	for _, r := range tabular.Between(f.rows, geometry.NewRect(b.X0, y0+.3*f.em, b.X1, y1-.3*f.em)) {
		if len(r.Words) >= 7 && tabular.Prose(r.Words, r.Size) {
			n++
		}
	}
	return n >= 2
}

// assignCaptions gives each table its caption. Documents set captions above their tables or beneath them: the side that
// serves more tables of the page goes first, then the nearer one.
func assignCaptions(f *finder) {
	type pair struct {
		t, c int
		d    float64
	}
	match := func(above bool) (ps []pair, sum float64) {
		for t := range f.found {
			for c := range f.captions {
				if p := &f.captions[c]; !p.of.Figure {
					if d := captionDistance(f, p, f.found[t].box, above); !math.IsInf(d, 1) {
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
		if t, c := &f.found[p.t], f.captions[p.c].of; t.caption == nil && !c.Used {
			t.caption, c.Used = c, true
		}
	}
}

package pdf

import (
	"fmt"
	"math"

	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/internal/errs"
)

// A pageNode is one leaf of the page tree with what it inherits.
type pageNode struct {
	obj       int // object number; 0 for a direct object
	dict      cos.Dict
	resources cos.Dict
	media     [4]float64 // lower left, upper right, in user space: the part that is shown
	rotate    int        // 0, 90, 180, 270, clockwise
}

type inherited struct {
	resources  cos.Dict
	media      []float64
	crop       []float64
	rotate     float64
	haveRotate bool
}

// pages walks the page tree once.
func (f *file) pages() ([]pageNode, error) {
	var out []pageNode
	seen := map[int]bool{}
	nodes := 0
	var walk func(o cos.Object, in inherited, depth int) error
	walk = func(o cos.Object, in inherited, depth int) error {
		if nodes++; nodes > maxTreeNodes || len(out) >= maxPages {
			return fmt.Errorf("%w: page tree of over %d nodes", errs.TooLarge, maxTreeNodes)
		}
		if nodes%1000 == 0 && f.ctx.Err() != nil {
			return f.ctx.Err()
		}
		d := f.dict(o)
		if d == nil || depth > maxTreeDepth {
			return nil
		}
		if n := objNr(o); n != 0 {
			if seen[n] && d["Kids"] != nil {
				return nil
			}
			seen[n] = true
		}
		if r := f.dict(d["Resources"]); r != nil {
			in.resources = r
		}
		if b := f.nums(d["MediaBox"]); len(b) == 4 {
			in.media = b
		}
		if b := f.nums(d["CropBox"]); len(b) == 4 {
			in.crop = b
		}
		if v, ok := f.num(d["Rotate"]); ok {
			in.rotate, in.haveRotate = v, true
		}
		if kids := f.array(d["Kids"]); kids != nil && f.name(d["Type"]) != "Page" {
			for _, k := range kids {
				if err := walk(k, in, depth+1); err != nil {
					return err
				}
			}
			return nil
		}
		if f.name(d["Type"]) == "Pages" && d["Contents"] == nil {
			return nil
		}
		p := pageNode{obj: objNr(o), dict: d, resources: in.resources, media: visibleBox(in.media, in.crop)}
		p.rotate = ((int(math.Round(in.rotate/90))*90)%360 + 360) % 360
		out = append(out, p)
		return nil
	}
	err := walk(f.catalog()["Pages"], inherited{}, 0)
	return out, err
}

// visibleBox is the crop box within the media box; US Letter when there is neither.
func visibleBox(media, crop []float64) [4]float64 {
	order := func(b []float64) [4]float64 {
		return [4]float64{math.Min(b[0], b[2]), math.Min(b[1], b[3]), math.Max(b[0], b[2]), math.Max(b[1], b[3])}
	}
	m := [4]float64{0, 0, 612, 792}
	if media != nil {
		if o := order(media); o[2]-o[0] > 1 && o[3]-o[1] > 1 {
			m = o
		}
	}
	if crop != nil {
		c := order(crop)
		c = [4]float64{math.Max(c[0], m[0]), math.Max(c[1], m[1]), math.Min(c[2], m[2]), math.Min(c[3], m[3])}
		if c[2]-c[0] > 1 && c[3]-c[1] > 1 {
			m = c
		}
	}
	return m
}

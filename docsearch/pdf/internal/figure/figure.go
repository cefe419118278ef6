package figure

import (
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf/internal/caption"
	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
)

const (
	MinPixels    = 100 // smallest side of an image that counts as a figure
	leastFigure  = 8.0 // points: smallest side of an image as shown
	maxFigures   = 200
	captionReach = 100.0 // points between a figure and its caption
)

// A Figure is a picture or drawing on a page.
type Figure struct {
	Box                     geometry.Rect
	PixelWidth, PixelHeight int
	Images                  []int // numbers in the canvas, in the order they were placed; none for a drawing
	caption                 string
}

// Export is the figure as the page tells of it.
func (f *Figure) Export() extract.Figure {
	return extract.Figure{BBox: extract.Box(f.Box.Round()), WidthPX: f.PixelWidth, HeightPX: f.PixelHeight, Caption: f.caption}
}

// A figureFinder looks for the figures of one page.
type figureFinder struct {
	*caption.Page
	tables []geometry.Rect // areas of its tables
}

// Find finds the figures of the page, images of at least 100 by 100 pixels and drawings, top to bottom. The tables must
// be known.
func Find(page *caption.Page, tables []geometry.Rect) []Figure {
	v := &figureFinder{page, tables}
	var list, small []Figure
	var labels []geometry.Rect
	for _, f := range Stitch(v.Canvas) {
		large := f.PixelWidth >= MinPixels && f.PixelHeight >= MinPixels && f.Box.Width() >= leastFigure && f.Box.Height() >= leastFigure
		switch {
		case labelFigure(v.Canvas, &f):
			labels = append(labels, f.Box)
			if large && len(small) < maxFigures {
				small = append(small, f)
			}
		case large && len(list) < maxFigures:
			list = append(list, f)
		}
	}
	used := map[*caption.Caption]bool{}
	name := func(f *Figure) {
		if c := v.CaptionFor(f.Box, true); c != nil {
			f.caption = c.Text
			used[c] = true // several images may share a caption
		} else {
			f.caption = v.lineBelow(f.Box)
		}
	}
	for i := range list {
		name(&list[i])
	}
	shareCaptions(list)
	list = slices.DeleteFunc(list, v.logo)
	list = append(list, v.drawings(list, labels, used)...)
	for i := range small { // no drawing took it
		if f := &small[i]; !slices.ContainsFunc(list, func(o Figure) bool { return len(o.Images) == 0 && coversMost(o.Box, f.Box) }) && len(list) < maxFigures {
			name(f)
			list = append(list, *f)
		}
	}
	for c := range used {
		c.Used = true
	}
	sort.SliceStable(list, func(i, j int) bool {
		a, b := list[i].Box, list[j].Box
		return a.Y0 < b.Y0 || a.Y0 == b.Y0 && a.X0 < b.X0
	})
	return list
}

// shareCaptions gives images beside, or over, one with a numbered caption the same, as the parts of one figure are set.
func shareCaptions(list []Figure) {
	const apart = 40.0 // points
	for range list {
		done := true
		for i := range list {
			f := &list[i]
			if caption.StartsFigure(f.caption) {
				continue
			}
			for k := range list {
				o := &list[k]
				if !caption.StartsFigure(o.caption) {
					continue
				}
				x := math.Max(f.Box.X0, o.Box.X0) - math.Min(f.Box.X1, o.Box.X1)
				y := math.Max(f.Box.Y0, o.Box.Y0) - math.Min(f.Box.Y1, o.Box.Y1)
				if x <= apart && -y > .5*math.Min(f.Box.Height(), o.Box.Height()) || y <= apart && -x > .5*math.Min(f.Box.Width(), o.Box.Width()) {
					f.caption, done = o.caption, false
					break
				}
			}
		}
		if done {
			return
		}
	}
}

// logo reports whether a figure is a small image in the running head or foot of a page of text.
func (v *figureFinder) logo(f Figure) bool {
	return v.inMargin(f.Box) && f.Box.Width()*f.Box.Height() < .03*v.Canvas.Width*v.Canvas.Height && !caption.StartsFigure(f.caption) && len(v.Lines) >= 10
}

// labelFigure reports whether a figure is a small stencil, such as a word: some producers set the text in drawings so.
func labelFigure(c *content.Canvas, f *Figure) bool {
	for _, i := range f.Images {
		if !c.Images[i].Stencil {
			return false
		}
	}
	return math.Min(f.Box.Width(), f.Box.Height()) < 72 && f.Box.Width()*f.Box.Height() < .04*c.Width*c.Height
}

// Stitch groups the images of a page: strips and tiles of one picture, the layers of a scan, and what lies on an image
// belong together.
func Stitch(c *content.Canvas) []Figure {
	const most = 2000 // images compared with one another
	page := geometry.NewRect(0, 0, c.Width, c.Height)
	type part struct {
		box    geometry.Rect
		sx, sy float64 // points a pixel
		image  int
	}
	var parts []part
	for i := range c.Images {
		im := &c.Images[i]
		b := im.Box.Intersect(page)
		if b.IsEmpty() || im.PixelWidth < 1 || im.PixelHeight < 1 || len(parts) >= most {
			continue
		}
		w, h := math.Hypot(im.Matrix[0], im.Matrix[1]), math.Hypot(im.Matrix[2], im.Matrix[3])
		parts = append(parts, part{b, w / float64(im.PixelWidth), h / float64(im.PixelHeight), i})
	}
	set := geometry.NewSets(len(parts))
	for i := range parts {
		a := &parts[i]
		for k := i + 1; k < len(parts); k++ {
			b := &parts[k]
			if coversMost(a.box, b.box) || coversMost(b.box, a.box) ||
				adjoin(a.box, b.box) && alike(a.sx, b.sx) && alike(a.sy, b.sy) {
				set.Join(i, k)
			}
		}
	}
	groups := map[int]int{}
	var out []Figure
	scale := map[int][2]float64{}
	for i := range parts {
		p := &parts[i]
		im := &c.Images[p.image]
		k, ok := groups[set.Find(i)]
		if !ok {
			k = len(out)
			groups[set.Find(i)] = k
			out = append(out, Figure{Box: p.box, PixelWidth: im.PixelWidth, PixelHeight: im.PixelHeight, Images: []int{p.image}})
			scale[k] = [2]float64{p.sx, p.sy}
			continue
		}
		f := &out[k]
		f.Box = f.Box.Union(p.box)
		f.Images = append(f.Images, p.image)
		s := scale[k]
		scale[k] = [2]float64{finer(s[0], p.sx), finer(s[1], p.sy)}
	}
	for k := range out {
		if f := &out[k]; len(f.Images) > 1 { // as many pixels as the finest of its images has on such an area
			s := scale[k]
			if s[0] > 0 && s[1] > 0 {
				f.PixelWidth, f.PixelHeight = int(math.Min(1e6, f.Box.Width()/s[0]+.5)), int(math.Min(1e6, f.Box.Height()/s[1]+.5))
			}
			if m := &c.Images[f.Images[0]]; math.Abs(m.Matrix[1]) > math.Abs(m.Matrix[0]) && s[0] > 0 && s[1] > 0 { // turned
				f.PixelWidth, f.PixelHeight = int(math.Min(1e6, f.Box.Width()/s[1]+.5)), int(math.Min(1e6, f.Box.Height()/s[0]+.5))
			}
		}
	}
	return out
}

func finer(a, b float64) float64 {
	if a <= 0 || b > 0 && b < a {
		return b
	}
	return a
}

// alike reports whether two scales differ by less than a fiftieth.
func alike(a, b float64) bool { return math.Abs(a-b) <= .02*math.Max(a, b) }

// coversMost reports whether nine tenths of b lie in a.
func coversMost(a, b geometry.Rect) bool {
	c := a.Intersect(b)
	return !c.IsEmpty() && c.Width()*c.Height() >= .9*b.Width()*b.Height() && a.Width()*a.Height() > 0
}

// adjoin reports whether two boxes meet along most of a side.
func adjoin(a, b geometry.Rect) bool {
	const gap = 1.0
	x, y := math.Min(a.X1, b.X1)-math.Max(a.X0, b.X0), math.Min(a.Y1, b.Y1)-math.Max(a.Y0, b.Y0)
	return math.Abs(y) <= gap && x >= .8*math.Max(a.Width(), b.Width()) || math.Abs(x) <= gap && y >= .8*math.Max(a.Height(), b.Height())
}

// lineBelow is the nearest short line under an image when it is set like a caption: close, and within its width.
func (v *figureFinder) lineBelow(b geometry.Rect) string {
	if b.Width() > .9*v.Canvas.Width && b.Height() > .8*v.Canvas.Height {
		return "" // a scanned page
	}
	best, dist := "", 2.5*v.Em
	for i := range v.Lines {
		l := &v.Lines[i]
		if d := l.Box.Y0 - b.Y1; d >= -1 && d < dist && l.Box.X0 >= b.X0-2*v.Em && l.Box.X1 <= b.X1+2*v.Em && len(l.Text) < 200 {
			best, dist = l.Text, d
		}
	}
	return strings.TrimSpace(best)
}

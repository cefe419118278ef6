package catalog

import (
	"fmt"
	"math"
	"slices"

	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
	"github.com/findspot/findspot/internal/errs"
)

// A Page is one leaf of the page tree with what it inherits.
type Page struct {
	object    int      // object number; 0 for a direct object
	Dict      cos.Dict // nil when it cannot be read; fault says why
	Resources cos.Dict
	media     [4]float64 // lower left, upper right, in user space: the part that is shown
	rotate    int        // 0, 90, 180, 270, clockwise
	Fault     error
}

// inherited holds what pages take from the nodes above them (ISO 32000-1, 7.7.3.4).
type inherited struct {
	resources cos.Dict
	media     []float64
	crop      []float64
	rotate    float64
}

// add takes over what a node states itself.
func (in *inherited) add(f *cos.Reader, d cos.Dict) {
	if r := f.Dict(d["Resources"]); r != nil {
		in.resources = r
	}
	if b := f.Nums(d["MediaBox"]); len(b) == 4 {
		in.media = b
	}
	if b := f.Nums(d["CropBox"]); len(b) == 4 {
		in.crop = b
	}
	if v, ok := f.Num(d["Rotate"]); ok {
		in.rotate = v
	}
}

func (in *inherited) page(obj int, d cos.Dict) Page {
	p := Page{object: obj, Dict: d, Resources: in.resources, media: visibleBox(in.media, in.crop)}
	p.rotate = ((int(math.Round(math.Mod(in.rotate, 360)/90))*90)%360 + 360) % 360
	return p
}

// A pageTree is the page tree while it is walked.
type pageTree struct {
	f     *cos.Reader
	pages []Page
	seen  map[int]bool // object numbers of nodes and pages
	nodes int
	lost  int // kids that are there but are no dictionaries
}

// Pages walks the page tree once. Where it has gaps, pages are looked for among all objects.
func Pages(f *cos.Reader) ([]Page, error) {
	t := &pageTree{f: f, seen: map[int]bool{}}
	root := f.Catalog()["Pages"]
	if f.Dict(root) != nil {
		if err := t.walk(root, inherited{}, 0); err != nil {
			return nil, err
		}
	}
	if len(t.pages) > 0 && t.lost == 0 {
		return t.pages, nil
	}
	found, err := t.orphans()
	if err != nil {
		return nil, err
	}
	if readable := slices.ContainsFunc(t.pages, func(p Page) bool { return p.Fault == nil }); !readable && len(found) > 0 {
		return found, nil
	}
	// Some pages were reached. What else there is may be old pages; no more are taken than were lost, in their places.
	for i := range t.pages {
		if t.pages[i].Fault != nil && len(found) > 0 {
			t.pages[i], found = found[0], found[1:]
		}
	}
	return t.pages, nil
}

func (t *pageTree) count() error {
	if t.nodes++; t.nodes > maxTreeNodes || len(t.pages) >= maxPages {
		return fmt.Errorf("%w: page tree of over %d nodes or %d pages", errs.TooLarge, maxTreeNodes, maxPages)
	}
	if t.nodes%256 == 0 {
		return t.f.Context().Err()
	}
	return nil
}

func (t *pageTree) walk(o cos.Object, in inherited, depth int) error {
	if err := t.count(); err != nil {
		return err
	}
	f := t.f
	d := f.Dict(o)
	if d == nil || depth > MaxTreeDepth {
		return t.lose(o)
	}
	if n := cos.ObjectNumber(o); n != 0 {
		if t.seen[n] && d["Kids"] != nil {
			return nil
		}
		t.seen[n] = true
	}
	in.add(f, d)
	if kids := f.Array(d["Kids"]); kids != nil && f.Name(d["Type"]) != "Page" {
		for _, k := range kids {
			if err := t.walk(k, in, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	if f.Name(d["Type"]) == "Pages" && d["Contents"] == nil {
		if d["Kids"] != nil || f.NumOr(d["Count"], 0) > 0 {
			t.lost++
		}
		return nil
	}
	t.pages = append(t.pages, in.page(cos.ObjectNumber(o), d))
	return nil
}

// lose notes a kid that is no dictionary. When there is something in its place that cannot be read, it keeps its number
// among the pages.
func (t *pageTree) lose(o cos.Object) error {
	if err := t.f.Context().Err(); err != nil {
		return err
	}
	t.lost++
	if r, ok := o.(cos.Ref); ok {
		if _, err := t.f.File.Load(t.f.Context(), r.Num); err != nil {
			t.pages = append(t.pages, Page{Fault: err, media: visibleBox(nil, nil)})
		}
	}
	return nil
}

// orphans returns the pages that the walk has not come by, by object number.
func (t *pageTree) orphans() ([]Page, error) {
	f := t.f
	nums, err := f.File.Numbers(f.Context(), true)
	if err != nil {
		return nil, err
	}
	var out []Page
	for _, n := range nums {
		if t.seen[n] {
			continue
		}
		if err := f.Context().Err(); err != nil {
			return nil, err
		}
		o, err := f.File.Load(f.Context(), n)
		if err != nil {
			continue // told where it is needed
		}
		d, ok := o.(cos.Dict)
		if !ok || !looksLikePage(f, d) {
			continue
		}
		if len(out) >= maxPages {
			return nil, fmt.Errorf("%w: over %d pages", errs.TooLarge, maxPages)
		}
		up, chain := d, []cos.Dict{}
		for range MaxTreeDepth {
			chain = append(chain, up)
			if up = f.Dict(up["Parent"]); up == nil {
				break
			}
		}
		var in inherited
		for _, d := range slices.Backward(chain) {
			in.add(f, d)
		}
		out = append(out, in.page(n, d))
	}
	return out, nil
}

// looksLikePage reports whether a dictionary is a page, also without saying so.
func looksLikePage(f *cos.Reader, d cos.Dict) bool {
	switch t := f.Name(d["Type"]); {
	case t == "Page":
		return true
	case t != "" || d["Contents"] == nil || d["MediaBox"] == nil && d["Resources"] == nil || d["Subtype"] != nil:
		return false
	}
	switch f.Resolve(d["Contents"]).(type) {
	case *cos.Stream, cos.Array:
		return true
	}
	return false
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

// Object is the object number of the page, 0 where it is no object of its own.
func (p *Page) Object() int { return p.object }

// ToPage maps user space to the page as shown: origin top left, y down, rotated; it also gives the size.
func (p *Page) ToPage() (m geometry.Matrix, w, h float64) {
	x0, y0, x1, y1 := p.media[0], p.media[1], p.media[2], p.media[3]
	w, h = x1-x0, y1-y0
	switch p.rotate {
	case 90:
		return geometry.Matrix{0, 1, 1, 0, -y0, -x0}, h, w
	case 180:
		return geometry.Matrix{-1, 0, 0, 1, x1, -y0}, w, h
	case 270:
		return geometry.Matrix{0, -1, -1, 0, y1, x1}, h, w
	}
	return geometry.Matrix{1, 0, 0, -1, -x0, y1}, w, h
}

const maxPages = 200_000 // leaves of the page tree

const maxTreeNodes = 400_000 // nodes of the page tree visited

// MaxTreeDepth is how deep the page tree is read, and how far up a page looks for what it inherits.
const MaxTreeDepth = 60

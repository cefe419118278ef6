package catalog

import (
	"math"

	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/docsearch/pdf/internal/encoding"
)

const (
	maxBookmarks    = 20_000
	maxOutlineDepth = 32
	maxDestNodes    = 200_000 // nodes and names of the tree of named destinations
	maxBookmarkText = 500     // runes
)

// A Bookmark is one entry of the document's outline (ISO 32000-1, 12.3.3).
type Bookmark struct {
	Title string
	Level int     // from 1
	Page  int     // from 1
	Y     float64 // of the place it points to, on the page as shown; NaN: not said
}

// outlineReader walks an outline. An entry is visited once, so that cycles end.
type outlineReader struct {
	f      *cos.Reader
	nodes  []Page
	pageOf map[int]int
	dests  map[string]cos.Object // named destinations, nil until one is asked for
	seen   map[int]bool
	visits int
	out    []Bookmark
}

// Outline returns the entries that point to a page of the file, in their order.
func Outline(f *cos.Reader, nodes []Page) ([]Bookmark, error) {
	root := f.Dict(f.Catalog()["Outlines"])
	if root == nil {
		return nil, nil
	}
	r := &outlineReader{f: f, nodes: nodes, pageOf: make(map[int]int, len(nodes)), seen: map[int]bool{}}
	for i := range nodes {
		if n := nodes[i].object; n != 0 {
			r.pageOf[n] = i + 1
		}
	}
	r.items(root["First"], 1)
	return r.out, f.Context().Err()
}

// items reads an entry and those that follow it on its level.
func (r *outlineReader) items(o cos.Object, level int) {
	for o != nil && level <= maxOutlineDepth {
		if r.visits++; r.visits > maxBookmarks || len(r.out) >= maxBookmarks || r.visits%256 == 0 && r.f.Context().Err() != nil {
			return
		}
		if n := cos.ObjectNumber(o); n != 0 {
			if r.seen[n] {
				return
			}
			r.seen[n] = true
		}
		d := r.f.Dict(o)
		if d == nil {
			return
		}
		title := encoding.Clean(encoding.TextString(r.f.Str(d["Title"])))
		if rs := []rune(title); len(rs) > maxBookmarkText {
			title = string(rs[:maxBookmarkText])
		}
		if page, y := r.place(d); page > 0 && title != "" {
			r.out = append(r.out, Bookmark{title, level, page, y})
		}
		if d["First"] != nil {
			r.items(d["First"], level+1)
		}
		o = d["Next"]
	}
}

// place resolves the destination of an entry, its own or that of its action. Page 0: it points to no page of this file.
func (r *outlineReader) place(d cos.Dict) (page int, y float64) {
	dest := d["Dest"]
	if dest == nil {
		a := r.f.Dict(d["A"])
		if r.f.Name(a["S"]) != "GoTo" {
			return 0, 0
		}
		dest = a["D"]
	}
	for range 4 { // a name stands for a destination or a dictionary that holds one
		if name := r.f.Name(dest); name != "" {
			dest = r.f.Dict(r.f.Catalog()["Dests"])[name]
		} else if s := r.f.Str(dest); len(s) > 0 {
			dest = r.named(string(s))
		} else if dd := r.f.Dict(dest); dd != nil {
			dest = dd["D"]
		} else {
			break
		}
	}
	a := r.f.Array(dest)
	if len(a) == 0 {
		return 0, 0
	}
	if page = r.pageOf[cos.ObjectNumber(a[0])]; page == 0 {
		n, ok := r.f.Num(a[0])
		if !ok || n < 0 || n >= float64(len(r.nodes)) {
			return 0, 0
		}
		page = int(n) + 1
	}
	at := -1 // where the upper edge stands in the array
	left := 0.0
	if len(a) > 1 {
		switch r.f.Name(a[1]) {
		case "XYZ":
			at = 3
			if len(a) > 2 {
				left = r.f.NumOr(a[2], 0)
			}
		case "FitH", "FitBH":
			at = 2
		case "FitR":
			at = 5
		}
	}
	y = math.NaN()
	if at > 0 && at < len(a) {
		if top, ok := r.f.Num(a[at]); ok {
			m, _, _ := r.nodes[page-1].ToPage()
			_, y = m.Apply(left, top)
		}
	}
	return page, y
}

// named looks a destination up in the name tree of the catalog, or in the older dictionary.
func (r *outlineReader) named(name string) cos.Object {
	if r.dests == nil {
		r.dests = map[string]cos.Object{}
		seen := map[int]bool{}
		left := maxDestNodes
		var walk func(o cos.Object, depth int)
		walk = func(o cos.Object, depth int) {
			if n := cos.ObjectNumber(o); n != 0 {
				if seen[n] {
					return
				}
				seen[n] = true
			}
			if left--; left < 0 || depth > maxOutlineDepth || left%256 == 0 && r.f.Context().Err() != nil {
				return
			}
			d := r.f.Dict(o)
			names := r.f.Array(d["Names"])
			for i := 0; i+1 < len(names) && left > 0; i += 2 {
				left--
				r.dests[string(r.f.Str(names[i]))] = names[i+1]
			}
			for _, k := range r.f.Array(d["Kids"]) {
				walk(k, depth+1)
			}
		}
		walk(r.f.Dict(r.f.Catalog()["Names"])["Dests"], 0)
	}
	if d, ok := r.dests[name]; ok {
		return d
	}
	return r.f.Dict(r.f.Catalog()["Dests"])[name]
}

package content

import (
	"bytes"
	"errors"
	"fmt"
	"math"

	"github.com/findspot/findspot/docsearch/pdf/internal/budget"
	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
	"github.com/findspot/findspot/docsearch/pdf/internal/lexer"
)

// maxImages bounds the images of one page that are kept.
const maxImages = 10_000

// A Image is a raster image placed on a page.
type Image struct {
	Box         geometry.Rect   // what is shown of it
	PixelWidth  int             // pixels of the image itself
	PixelHeight int             //
	Matrix      geometry.Matrix // from the unit square, with the image's first row at the top, to the page
	Object      cos.Object      // its stream
	Stencil     bool            // a stencil that is painted in fill
	Fill        [3]float64
}

// placeImage notes an image at the current matrix. One that is clipped away is not there.
func (in *interp) placeImage(o cos.Object, d cos.Dict) {
	if len(in.out.Images) >= maxImages || in.off > 0 || !in.st.ctm.Finite() {
		return
	}
	box := in.st.ctm.Box(0, 0, 1, 1).Intersect(in.st.clip)
	if box.IsEmpty() {
		return
	}
	stencil, _ := in.f.Resolve(d["ImageMask"]).(cos.Bool)
	in.out.Images = append(in.out.Images, Image{
		Box: box, PixelWidth: in.pixels(d["Width"]), PixelHeight: in.pixels(d["Height"]), Matrix: in.st.ctm, Object: o, Stencil: bool(stencil), Fill: in.st.fill,
	})
}

func (in *interp) pixels(o cos.Object) int {
	return int(math.Max(0, math.Min(1<<24, in.f.NumOr(o, 0))))
}

// The short keys and names of inline images (ISO 32000-1, tables 93 and 94).
var inlineNames = map[string]string{
	"BPC": "BitsPerComponent", "CS": "ColorSpace", "D": "Decode", "DP": "DecodeParms", "F": "Filter", "H": "Height",
	"IM": "ImageMask", "I": "Interpolate", "W": "Width", "L": "Length",
}

// inlineImage reads from BI to EI. The end of the data is not marked reliably: without a filter the length follows from
// the dictionary, else the first EI between white space counts that is followed by what looks like content.
func (in *interp) inlineImage(l *lexer.Lexer, res cos.Dict) {
	dict := cos.Dict{}
	for {
		t := l.Next()
		if t.Kind == lexer.EOF {
			return
		}
		if t.Kind == lexer.Keyword {
			if string(t.Bytes) == "ID" {
				break
			}
			if string(t.Bytes) == "EI" {
				return
			}
			continue
		}
		if t.Kind != lexer.Name {
			continue
		}
		key := string(t.Bytes)
		v := l.Next()
		if v.Kind == lexer.EOF {
			return
		}
		if v.Kind == lexer.Keyword && string(v.Bytes) == "ID" {
			break
		}
		if full := inlineNames[key]; full != "" {
			key = full
		}
		if o := l.Value(v, 0).Object(0); o != nil {
			dict[key] = o
		}
	}
	w, h := in.pixels(dict["Width"]), in.pixels(dict["Height"])
	l.Pos++ // one white space after ID
	start := min(l.Pos, len(l.Input))
	least := start
	if name, ok := dict["ColorSpace"].(cos.Name); ok {
		if o := in.resource(res, "ColorSpace", string(name)); o != nil {
			dict["ColorSpace"] = o
		}
	}
	if dict["Filter"] == nil && w > 0 && h > 0 && w < 1<<20 && h < 1<<20 {
		bits, comps := int(in.f.NumOr(dict["BitsPerComponent"], 8)), 1
		if stencil, _ := dict["ImageMask"].(cos.Bool); stencil {
			bits = 1
		}
		switch name, _ := dict["ColorSpace"].(cos.Name); name {
		case "RGB", "DeviceRGB":
			comps = 3
		case "CMYK", "DeviceCMYK":
			comps = 4
		}
		if n := (w*bits*comps + 7) / 8 * h; n > 0 && start+n < len(l.Input) {
			least = start + n
		}
	}
	l.Pos = findEI(l.Input, least)
	data := bytes.TrimSuffix(l.Input[start:max(start, l.Pos)], []byte("EI"))
	in.placeImage(in.f.File.NewStream(dict, data), dict)
}

// findEI returns the offset after the EI that ends inline image data.
func findEI(b []byte, at int) int {
	for at < len(b) {
		i := bytes.Index(b[at:], []byte("EI"))
		if i < 0 {
			return len(b)
		}
		i += at
		at = i + 2
		if i > 0 && cos.Class(b[i-1]) != cos.Space && i != at {
			if i == 0 || cos.Class(b[i-1]) == cos.Regular && b[i-1] != 0 {
				continue
			}
		}
		if i+2 < len(b) && cos.Class(b[i+2]) != cos.Space {
			continue
		}
		plain := true
		for _, c := range b[i+2 : min(i+14, len(b))] {
			if c >= 0x7F || c < 0x20 && cos.Class(c) != cos.Space || c == 0 {
				plain = false
				break
			}
		}
		if plain {
			return i + 2
		}
	}
	return len(b)
}

// xobject runs a form or places an image.
func (in *interp) xobject(o cos.Object, res cos.Dict) {
	d := in.f.Dict(o)
	if d == nil || in.off > 0 || in.hidden(d["OC"]) {
		return
	}
	switch in.f.Name(d["Subtype"]) {
	case "Image":
		in.placeImage(o, d)
	case "Form":
		in.form(o, d, res)
	}
}

func (in *interp) form(o cos.Object, d, res cos.Dict) {
	nr := cos.ObjectNumber(o)
	if len(in.forms) >= maxFormDepth {
		return
	}
	for _, n := range in.forms {
		if n == nr && nr != 0 {
			return
		}
	}
	if in.ops += 16; in.ops >= in.check && !in.bounded("form object", nr) {
		return
	}
	data, err := in.f.Stream(o)
	if errors.Is(err, budget.ErrSpent) {
		in.err = err
		return
	}
	if err != nil && in.fault == nil {
		in.fault = fmt.Errorf("form object %d: %w", nr, err)
	}
	if r := in.f.Dict(d["Resources"]); r != nil {
		res = r
	}
	saved, stack, tm, tlm, marks, off := in.st, in.stack, in.tm, in.tlm, in.marks, in.off
	in.forms = append(in.forms, nr)
	in.stack, in.marks = nil, nil
	if m := in.f.Nums(d["Matrix"]); len(m) == 6 {
		in.st.ctm = geometry.Matrix(m).Mul(in.st.ctm)
	}
	if in.st.ctm.Finite() {
		if b := in.f.Nums(d["BBox"]); len(b) == 4 {
			in.st.clip = in.st.clip.Intersect(in.st.ctm.Box(b[0], b[1], b[2], b[3]))
		}
		in.run(data, res)
	}
	in.forms = in.forms[:len(in.forms)-1]
	in.st, in.stack, in.tm, in.tlm, in.marks, in.off = saved, stack, tm, tlm, marks, off
}

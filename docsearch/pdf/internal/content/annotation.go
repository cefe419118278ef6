package content

import (
	"math"
	"strings"

	"github.com/findspot/findspot/docsearch/pdf/internal/catalog"
	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/docsearch/pdf/internal/encoding"
	"github.com/findspot/findspot/docsearch/pdf/internal/font"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
)

const maxAnnotations = 20_000

// annotations runs the appearances of a page's annotations and form fields after the page itself (ISO 32000-1, 12.5.5).
// A field of text or choice without an appearance shows its value.
func (in *interp) annotations(p *catalog.Page) {
	list := in.f.Array(p.Dict["Annots"])
	base := in.st
	need, _ := in.f.Resolve(in.f.Dict(in.f.Catalog()["AcroForm"])["NeedAppearances"]).(cos.Bool)
	stale := bool(need) // what fields look like is to be made anew from their values
	for i, o := range list {
		if i >= maxAnnotations || in.err != nil {
			return
		}
		if in.ops += 16; !in.bounded("annotations", i) {
			return
		}
		d := in.f.Dict(o)
		if d == nil || in.hidden(d["OC"]) {
			continue
		}
		flags := int(in.f.NumOr(d["F"], 0))
		sub := in.f.Name(d["Subtype"])
		if flags&(2|32) != 0 || sub == "Popup" || sub == "Link" {
			continue
		}
		r := in.f.Nums(d["Rect"])
		if len(r) != 4 {
			continue
		}
		rc := geometry.NewRect(math.Min(r[0], r[2]), math.Min(r[1], r[3]), math.Max(r[0], r[2]), math.Max(r[1], r[3]))
		in.st, in.stack, in.marks, in.off, in.newObject = base, nil, nil, 0, true
		from := len(in.out.Glyphs)
		value, isField := "", false
		if sub == "Widget" {
			value, isField = in.fieldValue(d)
		}
		switch ap := in.appearance(d); {
		case ap != nil && !(isField && stale && in.fieldType(d) != "Btn"):
			in.runAppearance(ap, rc)
		case isField:
			in.plainText(value, rc)
		case sub == "FreeText":
			in.plainText(encoding.TextString(in.f.Str(d["Contents"])), rc)
		}
		if sub == "Widget" {
			for k := from; k < len(in.out.Glyphs); k++ {
				in.out.Glyphs[k].Field = true
			}
		}
	}
}

// Flags of form fields (ISO 32000-1, 12.7.4.3 and 12.7.4.4).
const (
	fieldPassword = 1 << 13
	fieldCombo    = 1 << 17
)

// fieldValue returns what a field of text or choice shows; ok is false for other fields. A list shows all of its choices, a
// password nothing.
func (in *interp) fieldValue(d cos.Dict) (text string, ok bool) {
	flags := int(in.f.NumOr(in.inheritedField(d, "Ff"), 0))
	v := in.f.Resolve(in.inheritedField(d, "V"))
	switch in.fieldType(d) {
	case "Tx":
		if flags&fieldPassword != 0 {
			return "", true
		}
		return encoding.TextString(in.f.Str(v)), true
	case "Ch":
		value := encoding.TextString(in.f.Str(v))
		var all []string
		for i, o := range in.f.Array(in.inheritedField(d, "Opt")) {
			if i >= maxChoices {
				break
			}
			if in.ops += len(value) / 16; in.ops > MaxOperators {
				break
			}
			export, shown := in.f.Str(o), in.f.Str(o)
			if pair := in.f.Array(o); len(pair) == 2 {
				export, shown = in.f.Str(pair[0]), in.f.Str(pair[1])
			}
			if value != "" && encoding.TextString(export) == value {
				value = encoding.TextString(shown)
			}
			text := encoding.TextString(shown)
			in.ops += len(export) + len(shown)
			all = append(all, text)
		}
		if flags&fieldCombo == 0 {
			return strings.Join(all, "\n"), true
		}
		return value, true
	case "Btn":
		// A box or button that is on and has no appearance for it shows its sign, a character of ZapfDingbats.
		if state := in.f.Name(d["AS"]); state == "" || state == "Off" {
			return "", false
		}
		if ca := in.f.Str(in.f.Dict(d["MK"])["CA"]); len(ca) == 1 && encoding.Dingbat(int(ca[0])) != 0 {
			return string(encoding.Dingbat(int(ca[0]))), true
		}
	}
	return "", false
}

const maxChoices = 500

// appearance returns the normal appearance stream in the annotation's state.
func (in *interp) appearance(d cos.Dict) cos.Object {
	n := in.f.Dict(d["AP"])["N"]
	switch v := in.f.Resolve(n).(type) {
	case *cos.Stream:
		return n
	case cos.Dict:
		as := in.f.Name(d["AS"])
		if as == "" {
			return nil
		}
		if _, ok := in.f.Resolve(v[as]).(*cos.Stream); ok {
			return v[as]
		}
	}
	return nil
}

func (in *interp) runAppearance(ap cos.Object, rc geometry.Rect) {
	d := in.f.Dict(ap)
	bb := in.f.Nums(d["BBox"])
	if len(bb) != 4 {
		return
	}
	m := geometry.Identity()
	if a := in.f.Nums(d["Matrix"]); len(a) == 6 {
		m = geometry.Matrix(a)
	}
	b := m.Box(bb[0], bb[1], bb[2], bb[3])
	sx, sy := 1.0, 1.0
	if b.Width() > 0 {
		sx = rc.Width() / b.Width()
	}
	if b.Height() > 0 {
		sy = rc.Height() / b.Height()
	}
	in.st.ctm = geometry.Matrix{sx, 0, 0, sy, rc.X0 - b.X0*sx, rc.Y0 - b.Y0*sy}.Mul(in.st.ctm)
	in.form(ap, d, nil)
}

// inheritedField looks a key up in a field and its parents.
func (in *interp) inheritedField(d cos.Dict, key string) cos.Object {
	for range 16 {
		if d == nil {
			return nil
		}
		if v := d[key]; v != nil {
			return v
		}
		d = in.f.Dict(d["Parent"])
	}
	return nil
}

func (in *interp) fieldType(d cos.Dict) string { return in.f.Name(in.inheritedField(d, "FT")) }

// plainText sets text into a box in lines of 10 points.
func (in *interp) plainText(text string, rc geometry.Rect) {
	ft := &font.Font{Name: "Helvetica", Scale: 0.001, Em: 1}
	size := math.Min(10, math.Max(4, rc.Height()*0.8))
	y := rc.Y1 - size
	if lines := strings.Count(text, "\n") + 1; lines == 1 && rc.Height() < 2*size {
		y = rc.Y0 + (rc.Height()-size)/2 + size*0.2
	}
	for i, line := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if in.ops += len(line); i > 500 || in.ops > MaxOperators || len(in.out.Glyphs) > maxPageGlyphs {
			return
		}
		x := rc.X0 + 2
		for _, r := range line {
			w := font.CoreWidth("Helvetica", glyphNameOf(r)) / 1000 * size
			g := Glyph{Text: string(r), Dx: 1, Size: size, Font: ft, Begins: i == 0}
			g.X, g.Y = in.st.ctm.Apply(x, y)
			g.EndX, g.EndY = in.st.ctm.Apply(x+w, y)
			if n := math.Hypot(g.EndX-g.X, g.EndY-g.Y); n > 0 {
				g.Dx, g.Dy = (g.EndX-g.X)/n, (g.EndY-g.Y)/n
			}
			in.out.Glyphs = append(in.out.Glyphs, g)
			x += w
		}
		y -= size * 1.2
	}
}

func glyphNameOf(r rune) string {
	if r < 256 {
		return encoding.All()["WinAnsi"][r]
	}
	return ""
}

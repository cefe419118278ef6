package pdf

import (
	"math"
	"strings"

	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
)

const maxAnnotations = 20_000

// annotations runs the appearances of a page's annotations and form fields after the page itself (ISO 32000-1, 12.5.5).
// A field of text or choice without an appearance shows its value.
func (in *interp) annotations(p *pageNode) {
	list := in.f.array(p.dict["Annots"])
	base := in.st
	need, _ := in.f.resolve(in.f.dict(in.f.catalog()["AcroForm"])["NeedAppearances"]).(cos.Bool)
	stale := bool(need) // what fields look like is to be made anew from their values
	for i, o := range list {
		if i >= maxAnnotations || in.err != nil {
			return
		}
		if in.ops += 16; !in.bounded("annotations", i) {
			return
		}
		d := in.f.dict(o)
		if d == nil || in.hidden(d["OC"]) {
			continue
		}
		flags := int(in.f.numOr(d["F"], 0))
		sub := in.f.name(d["Subtype"])
		if flags&(2|32) != 0 || sub == "Popup" || sub == "Link" {
			continue
		}
		r := in.f.nums(d["Rect"])
		if len(r) != 4 {
			continue
		}
		rc := rect{math.Min(r[0], r[2]), math.Min(r[1], r[3]), math.Max(r[0], r[2]), math.Max(r[1], r[3])}
		in.st, in.stack, in.marks, in.off, in.newObject = base, nil, nil, 0, true
		from := len(in.out.glyphs)
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
			in.plainText(textString(in.f.str(d["Contents"])), rc)
		}
		if sub == "Widget" {
			for k := from; k < len(in.out.glyphs); k++ {
				in.out.glyphs[k].field = true
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
	flags := int(in.f.numOr(in.inheritedField(d, "Ff"), 0))
	v := in.f.resolve(in.inheritedField(d, "V"))
	switch in.fieldType(d) {
	case "Tx":
		if flags&fieldPassword != 0 {
			return "", true
		}
		return textString(in.f.str(v)), true
	case "Ch":
		value := textString(in.f.str(v))
		var all []string
		for i, o := range in.f.array(in.inheritedField(d, "Opt")) {
			if i >= maxChoices {
				break
			}
			if in.ops += len(value) / 16; in.ops > maxOperators {
				break
			}
			export, shown := in.f.str(o), in.f.str(o)
			if pair := in.f.array(o); len(pair) == 2 {
				export, shown = in.f.str(pair[0]), in.f.str(pair[1])
			}
			if value != "" && textString(export) == value {
				value = textString(shown)
			}
			text := textString(shown)
			in.ops += len(export) + len(shown)
			all = append(all, text)
		}
		if flags&fieldCombo == 0 {
			return strings.Join(all, "\n"), true
		}
		return value, true
	case "Btn":
		// A box or button that is on and has no appearance for it shows its sign, a character of ZapfDingbats.
		if state := in.f.name(d["AS"]); state == "" || state == "Off" {
			return "", false
		}
		if ca := in.f.str(in.f.dict(d["MK"])["CA"]); len(ca) == 1 && dingbat(int(ca[0])) != 0 {
			return string(dingbat(int(ca[0]))), true
		}
	}
	return "", false
}

const maxChoices = 500

// appearance returns the normal appearance stream in the annotation's state.
func (in *interp) appearance(d cos.Dict) cos.Object {
	n := in.f.dict(d["AP"])["N"]
	switch v := in.f.resolve(n).(type) {
	case *cos.Stream:
		return n
	case cos.Dict:
		as := in.f.name(d["AS"])
		if as == "" {
			return nil
		}
		if _, ok := in.f.resolve(v[as]).(*cos.Stream); ok {
			return v[as]
		}
	}
	return nil
}

func (in *interp) runAppearance(ap cos.Object, rc rect) {
	d := in.f.dict(ap)
	bb := in.f.nums(d["BBox"])
	if len(bb) != 4 {
		return
	}
	m := identity
	if a := in.f.nums(d["Matrix"]); len(a) == 6 {
		m = matrix(a)
	}
	b := m.box(bb[0], bb[1], bb[2], bb[3])
	sx, sy := 1.0, 1.0
	if b.w() > 0 {
		sx = rc.w() / b.w()
	}
	if b.h() > 0 {
		sy = rc.h() / b.h()
	}
	in.st.ctm = matrix{sx, 0, 0, sy, rc.x0 - b.x0*sx, rc.y0 - b.y0*sy}.mul(in.st.ctm)
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
		d = in.f.dict(d["Parent"])
	}
	return nil
}

func (in *interp) fieldType(d cos.Dict) string { return in.f.name(in.inheritedField(d, "FT")) }

// plainText sets text into a box in lines of 10 points.
func (in *interp) plainText(text string, rc rect) {
	ft := &font{name: "Helvetica", scale: 0.001, em: 1}
	size := math.Min(10, math.Max(4, rc.h()*0.8))
	y := rc.y1 - size
	if lines := strings.Count(text, "\n") + 1; lines == 1 && rc.h() < 2*size {
		y = rc.y0 + (rc.h()-size)/2 + size*0.2
	}
	for i, line := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if in.ops += len(line); i > 500 || in.ops > maxOperators || len(in.out.glyphs) > maxPageGlyphs {
			return
		}
		x := rc.x0 + 2
		for _, r := range line {
			w := coreWidth("Helvetica", glyphNameOf(r)) / 1000 * size
			g := glyph{text: string(r), dx: 1, size: size, font: ft, object: i == 0}
			g.x, g.y = in.st.ctm.apply(x, y)
			g.ex, g.ey = in.st.ctm.apply(x+w, y)
			if n := math.Hypot(g.ex-g.x, g.ey-g.y); n > 0 {
				g.dx, g.dy = (g.ex-g.x)/n, (g.ey-g.y)/n
			}
			in.out.glyphs = append(in.out.glyphs, g)
			x += w
		}
		y -= size * 1.2
	}
}

func glyphNameOf(r rune) string {
	if r < 256 {
		return encodings()["WinAnsi"][r]
	}
	return ""
}

// textString decodes a text string object: UTF-16 with its mark, UTF-8 with its mark, else PDFDocEncoding.
func textString(b []byte) string {
	switch {
	case len(b) >= 2 && b[0] == 0xFE && b[1] == 0xFF:
		return stripLanguage(utf16Text(b[2:], false))
	case len(b) >= 2 && b[0] == 0xFF && b[1] == 0xFE:
		return stripLanguage(utf16Text(b[2:], true))
	case len(b) >= 3 && b[0] == 0xEF && b[1] == 0xBB && b[2] == 0xBF:
		return strings.ToValidUTF8(string(b[3:]), "\uFFFD")
	}
	var s strings.Builder
	enc := encodings()["PDFDoc"]
	for _, c := range b {
		switch t := glyphText(enc[c]); {
		case c == '\n' || c == '\r' || c == '\t':
			s.WriteByte(c)
		case c >= 32 && c < 127:
			s.WriteByte(c)
		case enc[c] != "" && t != "":
			s.WriteString(t)
		}
	}
	return s.String()
}

// stripLanguage drops the language codes that may stand between escape characters.
func stripLanguage(s string) string {
	if !strings.Contains(s, "\x1B") {
		return s
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(s, 0x1B)
		if i < 0 {
			return b.String() + s
		}
		b.WriteString(s[:i])
		j := strings.IndexByte(s[i+1:], 0x1B)
		if j < 0 {
			return b.String() + s[i+1:]
		}
		s = s[i+j+2:]
	}
}

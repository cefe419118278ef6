package font

import (
	"math"
	"strings"

	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/docsearch/pdf/internal/encoding"
)

func (f *Loader) simpleFont(ft *Font, d, fd cos.Dict, sub string) {
	base, differences := baseEncoding(f.Reader, d)
	symbolic := int(f.NumOr(fd["Flags"], 0))&4 != 0
	embedded := fd["FontFile"] != nil || fd["FontFile2"] != nil || fd["FontFile3"] != nil
	plain := plainName(ft.Name)
	dingbats := strings.Contains(plain, "Dingbats")
	var builtin [256]string
	haveBuiltin := false
	// The font program is asked only where the dictionary does not settle the matter.
	if embedded && (base == nil || symbolic) {
		tt, cf, t1 := f.program(fd)
		var e *encoding.Encoding
		switch {
		case cf != nil:
			e = cf.builtin()
		case t1 != nil:
			e = t1
		}
		switch {
		case e != nil && base == nil:
			base = e
		case tt != nil && (base == nil || symbolic):
			builtin = tt.simple()
			haveBuiltin = true
		}
	}
	if base == nil {
		switch {
		case dingbats:
			base = encoding.All()["ZapfDingbats"]
		case (plain == "Symbol" || strings.HasPrefix(plain, "Symbol,") || plain == "SymbolMT") && !embedded:
			base = encoding.All()["Symbol"]
		case sub == "TrueType":
			base = encoding.All()["WinAnsi"]
		case sub != "Type3":
			base = encoding.All()["Standard"]
		default:
			base = new(encoding.Encoding)
		}
	}
	declared := simpleWidths(f.Reader, ft, d, fd, sub, base, differences)
	names := differences
	for c := range names {
		if names[c] == "" {
			names[c] = base[c]
		}
	}
	nums, _ := nameNumbers(&names)
	var unnamed [256]bool
	guess := false
	for c := range 256 {
		name, fromDiff := names[c], differences[c] != ""
		text := ft.stated(uint32(c))
		if text == "" && haveBuiltin && !fromDiff {
			text = builtin[c]
		}
		if text == "" && name != "" && name != ".notdef" {
			if text = encoding.GlyphText(name); text == "" && dingbats {
				text = encoding.DingbatText(name)
			}
		}
		if text == "" && haveBuiltin && nums[c] < 0 {
			text = builtin[c]
		}
		if text == encoding.Silent {
			text = ""
		} else if text == "" && name != ".notdef" && (name != "" || c >= 32 || declared[c]) {
			unnamed[c], guess = true, true
		}
		ft.codes[c].Text = encoding.Spell(text)
	}
	if !guess {
		return
	}
	guessed := guessSimple(ft, &nums, &unnamed, &declared)
	for c := range 256 {
		if !unnamed[c] {
			continue
		}
		switch {
		case guessed[c] == encoding.Silent:
			ft.codes[c].Text = ""
		case guessed[c] != "":
			ft.codes[c].Text = encoding.Spell(guessed[c])
		case haveBuiltin && builtin[c] != "":
			ft.codes[c].Text = builtin[c]
		default:
			ft.codes[c].Text = "\uFFFD"
		}
	}
}

// meaningful reports whether a ToUnicode entry says anything: a control character does not.
func meaningful(s string) bool {
	if len(s) == 1 && s[0] < 0x20 {
		return s[0] == '\t' || s[0] == '\n' || s[0] == '\r'
	}
	return s != "" && s != "\uFFFD"
}

// pictures reports whether a font has signs in the places of letters.
func (ft *Font) pictures() bool {
	n := strings.ToLower(ft.Name)
	return strings.Contains(n, "dings") || strings.Contains(n, "dingbat") || strings.Contains(n, "symbol")
}

// stated is the text that a ToUnicode map states for a code, "" for none that means anything. A lone control character of
// the range 80 to 9F is never meant; the producer wrote a code of Windows. In a font of signs it wrote the code of a sign.
func (ft *Font) stated(c uint32) string {
	if ft.uni == nil {
		return ""
	}
	s, ok := ft.uni.unicode(c)
	if !ok || !meaningful(s) {
		return ""
	}
	if len(s) == 2 && s[0] == 0xC2 && s[1] < 0xA0 && !ft.pictures() {
		if t := encoding.GlyphText(encoding.All()["WinAnsi"][s[1]]); t != "" {
			return t
		}
	}
	return s
}

func baseEncoding(f *cos.Reader, d cos.Dict) (base *encoding.Encoding, differences encoding.Encoding) {
	switch e := f.Resolve(d["Encoding"]).(type) {
	case cos.Name:
		base = encoding.Named(string(e))
	case cos.Dict:
		base = encoding.Named(f.Name(e["BaseEncoding"]))
		c := 0
		for _, o := range f.Array(e["Differences"]) {
			switch v := f.Resolve(o).(type) {
			case cos.Integer:
				c = int(v)
			case cos.Name:
				if c >= 0 && c < 256 {
					differences[c] = string(v)
				}
				c++
			}
		}
	}
	return base, differences
}

// simpleWidths fills in the advances. It returns the codes that have one of their own.
func simpleWidths(f *cos.Reader, ft *Font, d, fd cos.Dict, sub string, base *encoding.Encoding, differences encoding.Encoding) (declared [256]bool) {
	if sub == "Type3" {
		ft.type3 = true
		if m := f.Nums(d["FontMatrix"]); len(m) == 6 && m[0] != 0 {
			ft.Scale = math.Abs(m[0])
		}
		if b := f.Nums(d["FontBBox"]); len(b) == 4 && b[3]-b[1] > 0 {
			ft.Em = (b[3] - b[1]) * ft.Scale
		}
	}
	missing := f.NumOr(fd["MissingWidth"], 0)
	w := f.Array(d["Widths"])
	if w == nil && sub != "Type3" {
		core := coreName(ft.Name, ft.Bold, ft.Italic, ft.Mono, int(f.NumOr(fd["Flags"], 0)))
		for c := range 256 {
			name := differences[c]
			if name == "" {
				name = base[c]
			}
			ft.codes[c].Width = CoreWidth(core, name) * ft.Scale
		}
		return declared
	}
	first := int(f.NumOr(d["FirstChar"], 0))
	for c := range 256 {
		v := missing
		if i := c - first; i >= 0 && i < len(w) {
			v = f.NumOr(w[i], missing)
			declared[c] = v > 0
		}
		ft.codes[c].Width = v * ft.Scale
	}
	if ft.type3 {
		ft.type3Em()
	}
	return declared
}

// type3Em checks the letter size of a Type 3 font against its advances: bitmap fonts state boxes of all kinds.
func (ft *Font) type3Em() {
	sum, n := 0.0, 0.0
	for _, c := range ft.codes {
		if c.Width > 0 {
			sum += c.Width
			n++
		}
	}
	if n == 0 {
		return
	}
	mean := sum / n
	for _, units := range [...]float64{1000, 1024, 2048, 4096} { // the units of outline fonts: an em is what it says
		if math.Abs(ft.Scale*units-1) < 1e-3 && mean > .2 && mean < 1.3 {
			ft.Em = 1
			return
		}
	}
	if ft.Em < mean || ft.Em > 6*mean {
		ft.Em = 2 * mean
	}
}

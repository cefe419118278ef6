package pdf

import (
	"math"
	"reflect"
	"strings"

	corefont "github.com/pdfcpu/pdfcpu/pkg/font"

	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
)

// fontKey identifies a font within a file: its object, or its dictionary when it is written in place.
type fontKey struct {
	obj  int
	dict uintptr
}

// A char is what a font tells of one code.
type char struct {
	text  string
	width float64 // advance in text space for size 1
}

// A font turns the strings of a content stream into characters.
type font struct {
	name      string
	bold      bool
	italic    bool
	mono      bool
	composite bool
	type3     bool
	vertical  bool
	em        float64 // letter size in text space for size 1: 1, but for Type 3 fonts
	scale     float64 // text space units per glyph space unit: .001, or that of a Type 3 font's matrix
	codes     [256]char

	// composite fonts
	enc     *cmap // nil: two bytes, code is CID
	uni     *cmap
	widths  map[uint32]float64
	dw      float64
	cache   map[uint32]char
	cidText func(code, cid uint32) string
	ucs     bool // codes are UTF-16 themselves
}

// loadFont returns the font of a resource, read once per file.
func (f *file) loadFont(o cos.Object) *font {
	d := f.dict(o)
	if d == nil {
		return nil
	}
	key := fontKey{obj: objNr(o)}
	if key.obj == 0 {
		key.dict = reflect.ValueOf(map[string]cos.Object(d)).Pointer()
	}
	if ft, ok := f.fonts[key]; ok {
		return ft
	}
	ft := f.newFont(d)
	if len(f.fonts) > 4096 {
		clear(f.fonts)
	}
	f.fonts[key] = ft
	return ft
}

func (f *file) newFont(d cos.Dict) *font {
	ft := &font{scale: 0.001, em: 1, name: f.name(d["BaseFont"])}
	sub := f.name(d["Subtype"])
	if u, err := f.stream(d["ToUnicode"]); len(u) > 0 && (err == nil || len(u) > 64) {
		ft.uni = parseCMap(u, predefinedCMap)
	}
	desc := d
	if sub == "Type0" {
		if kids := f.array(d["DescendantFonts"]); len(kids) > 0 {
			desc = f.dict(kids[0])
		} else {
			desc = f.dict(d["DescendantFonts"])
		}
		if ft.name == "" {
			ft.name = f.name(desc["BaseFont"])
		}
	}
	fd := f.dict(desc["FontDescriptor"])
	ft.style(f, fd)
	if sub == "Type0" {
		ft.composite = true
		f.compositeFont(ft, d, desc, fd)
	} else {
		f.simpleFont(ft, d, fd, sub)
	}
	return ft
}

// style reads weight, slant and pitch off the descriptor and the name.
func (ft *font) style(f *file, fd cos.Dict) {
	flags := int(f.numOr(fd["Flags"], 0))
	n := strings.ToLower(ft.name)
	ft.mono = flags&1 != 0 || strings.Contains(n, "courier") || strings.Contains(n, "mono") || strings.Contains(n, "cmtt")
	ft.italic = flags&64 != 0 || strings.Contains(n, "italic") || strings.Contains(n, "oblique") || strings.Contains(n, "cmti")
	ft.bold = flags&(1<<18) != 0 || strings.Contains(n, "bold") || strings.Contains(n, "black") || strings.Contains(n, "heavy") ||
		strings.Contains(n, "cmbx") || f.numOr(fd["FontWeight"], 400) >= 600
}

// program returns the embedded font program, parsed as what it is.
func (f *file) program(fd cos.Dict) (tt *sfnt, cf *cffFont, t1 *encoding) {
	for _, key := range []string{"FontFile2", "FontFile3", "FontFile"} {
		if fd[key] == nil {
			continue
		}
		data, _ := f.stream(fd[key])
		if len(data) < 4 {
			continue
		}
		if tt = parseSFNT(data); tt != nil {
			if c := tt.tables["CFF "]; c != nil {
				cf = parseCFF(c)
			}
			return tt, cf, nil
		}
		if data[0] == 1 && data[1] == 0 {
			if cf = parseCFF(data); cf != nil {
				return nil, cf, nil
			}
		}
		if key == "FontFile" {
			return nil, nil, type1Encoding(data)
		}
	}
	return nil, nil, nil
}

func (f *file) simpleFont(ft *font, d, fd cos.Dict, sub string) {
	base, differences := f.baseEncoding(d)
	symbolic := int(f.numOr(fd["Flags"], 0))&4 != 0
	embedded := fd["FontFile"] != nil || fd["FontFile2"] != nil || fd["FontFile3"] != nil
	plain := plainName(ft.name)
	dingbats := strings.Contains(plain, "Dingbats")
	var builtin [256]string
	haveBuiltin := false
	// The font program is asked only where the dictionary does not settle the matter.
	if embedded && (base == nil || symbolic) {
		tt, cf, t1 := f.program(fd)
		var e *encoding
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
			base = encodings()["ZapfDingbats"]
		case (plain == "Symbol" || strings.HasPrefix(plain, "Symbol,") || plain == "SymbolMT") && !embedded:
			base = encodings()["Symbol"]
		case sub == "TrueType":
			base = encodings()["WinAnsi"]
		case sub != "Type3":
			base = encodings()["Standard"]
		default:
			base = new(encoding)
		}
	}
	for c := range 256 {
		name := differences[c]
		fromDiff := name != ""
		if name == "" {
			name = base[c]
		}
		text := ""
		if ft.uni != nil {
			if s, ok := ft.uni.unicode(uint32(c)); ok && meaningful(s) {
				text = s
			}
		}
		if text == "" && haveBuiltin && !fromDiff {
			text = builtin[c]
		}
		if text == "" && name != "" && name != ".notdef" {
			if text = glyphText(name); text == "" && dingbats {
				text = dingbatText(name)
			}
			if text == "" && fromDiff {
				text = numberedName(name)
			}
		}
		if text == "" && haveBuiltin {
			text = builtin[c]
		}
		if text == "" && c >= 32 && (name == "" || fromDiff) && name != ".notdef" {
			if s := glyphText(encodings()["WinAnsi"][c]); s != "" {
				text = s
			} else {
				text = string(rune(c))
			}
		}
		if text == "" && (c >= 32 || fromDiff) && name != ".notdef" {
			text = "\uFFFD"
		}
		ft.codes[c].text = text
	}
	f.simpleWidths(ft, d, fd, sub, base, differences)
}

// numberedName reads the code out of glyph names that only number it, as converters of TeX's bitmap fonts write them:
// "65", "a65", "g65", "char65". The first codes of TeX's text fonts are ligatures.
func numberedName(name string) string {
	digits := strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	if digits == "" || len(digits) > 3 || len(name)-len(digits) > 4 {
		return ""
	}
	v := 0
	for _, c := range digits {
		if c < '0' || c > '9' {
			return ""
		}
		v = v*10 + int(c-'0')
	}
	switch {
	case v >= 11 && v <= 15:
		return []string{"ff", "fi", "fl", "ffi", "ffl"}[v-11]
	case v < 33 || v > 126:
		return ""
	}
	return string(rune(v))
}

// meaningful reports whether a ToUnicode entry says anything.
func meaningful(s string) bool {
	return s != "" && s != "\x00" && s != "\uFFFD"
}

func (f *file) baseEncoding(d cos.Dict) (base *encoding, differences encoding) {
	switch e := f.resolve(d["Encoding"]).(type) {
	case cos.Name:
		base = namedEncoding(string(e))
	case cos.Dict:
		base = namedEncoding(f.name(e["BaseEncoding"]))
		c := 0
		for _, o := range f.array(e["Differences"]) {
			switch v := f.resolve(o).(type) {
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

func (f *file) simpleWidths(ft *font, d, fd cos.Dict, sub string, base *encoding, differences encoding) {
	if sub == "Type3" {
		ft.type3 = true
		if m := f.nums(d["FontMatrix"]); len(m) == 6 && m[0] != 0 {
			ft.scale = math.Abs(m[0])
		}
		if b := f.nums(d["FontBBox"]); len(b) == 4 && b[3]-b[1] > 0 {
			ft.em = (b[3] - b[1]) * ft.scale
		}
	}
	missing := f.numOr(fd["MissingWidth"], 0)
	w := f.array(d["Widths"])
	if w == nil && sub != "Type3" {
		core := coreName(ft.name, ft.bold, ft.italic, ft.mono, int(f.numOr(fd["Flags"], 0)))
		for c := range 256 {
			name := differences[c]
			if name == "" {
				name = base[c]
			}
			ft.codes[c].width = coreWidth(core, c, name) * ft.scale
		}
		return
	}
	first := int(f.numOr(d["FirstChar"], 0))
	for c := range 256 {
		v := missing
		if i := c - first; i >= 0 && i < len(w) {
			v = f.numOr(w[i], missing)
		}
		ft.codes[c].width = v * ft.scale
	}
	if ft.type3 {
		ft.type3Em()
	}
}

// type3Em checks the letter size of a Type 3 font against its advances: bitmap fonts state boxes of all kinds.
func (ft *font) type3Em() {
	sum, n := 0.0, 0.0
	for _, c := range ft.codes {
		if c.width > 0 {
			sum += c.width
			n++
		}
	}
	if n == 0 {
		return
	}
	if mean := sum / n; ft.em < mean || ft.em > 6*mean {
		ft.em = 2 * mean
	}
}

// coreWidth is the width of a character of one of the 14 standard fonts, in thousandths. The metrics are kept by code of
// the font's own or the Windows encoding.
func coreWidth(core string, c int, name string) float64 {
	code := c
	if core != "Symbol" && core != "ZapfDingbats" && name != "" {
		if at, ok := winCodes()[name]; ok {
			code = at
		}
	}
	if v, err := corefont.CharWidth(core, rune(code)); err == nil && v > 0 {
		return float64(v)
	}
	if strings.HasPrefix(core, "Courier") {
		return 600
	}
	return 500
}

// plainName drops the subset tag of a font's name.
func plainName(name string) string {
	if len(name) > 7 && name[6] == '+' {
		return name[7:]
	}
	return name
}

// coreName is the standard font that stands in for a font without widths.
func coreName(name string, bold, italic, mono bool, flags int) string {
	n := plainName(name)
	if corefont.IsCoreFont(n) {
		return n
	}
	l := strings.ToLower(n)
	pick := func(plain, b, i, bi string) string {
		switch {
		case bold && italic:
			return bi
		case bold:
			return b
		case italic:
			return i
		}
		return plain
	}
	switch {
	case strings.Contains(l, "symbol"):
		return "Symbol"
	case strings.Contains(l, "dingbat"):
		return "ZapfDingbats"
	case mono:
		return pick("Courier", "Courier-Bold", "Courier-Oblique", "Courier-BoldOblique")
	case strings.Contains(l, "times"), strings.Contains(l, "roman"), strings.Contains(l, "serif") && !strings.Contains(l, "sans"), flags&2 != 0:
		return pick("Times-Roman", "Times-Bold", "Times-Italic", "Times-BoldItalic")
	}
	return pick("Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Helvetica-BoldOblique")
}

func (f *file) compositeFont(ft *font, d, desc, fd cos.Dict) {
	ft.cache = map[uint32]char{}
	ft.widths = map[uint32]float64{}
	ft.dw = f.numOr(desc["DW"], 1000)
	f.readWidths(ft, f.array(desc["W"]))
	ordering := string(f.str(f.dict(desc["CIDSystemInfo"])["Ordering"]))
	encName := ""
	switch e := f.resolve(d["Encoding"]).(type) {
	case cos.Name:
		encName = string(e)
		ft.vertical = encName == "V" || strings.HasSuffix(encName, "-V")
		if encName != "Identity-H" && encName != "Identity-V" {
			ft.enc = predefinedCMap(encName)
			ft.ucs = strings.Contains(encName, "UCS2") || strings.Contains(encName, "UTF16")
		}
	case cos.Stream:
		if data, err := f.decode(&e); len(data) > 0 && err == nil {
			ft.enc = parseCMap(data, predefinedCMap)
			if ft.enc.use == nil {
				ft.enc.use = predefinedCMap(f.name(e.Dict["UseCMap"]))
			}
			ft.vertical = ft.enc.vertical || f.numOr(e.Dict["WMode"], 0) == 1
		}
	}
	byCollection := collectionText(ordering)
	var tt *sfnt
	var cf *cffFont
	loaded := false
	var toGID []byte
	// The embedded program is read only when a code has no text by other means.
	fromProgram := func(cid uint32) string {
		if !loaded {
			loaded = true
			tt, cf, _ = f.program(fd)
			toGID, _ = f.stream(desc["CIDToGIDMap"])
		}
		g := cid
		if len(toGID) > 0 {
			g = uint32(u16(toGID, int(2*cid)))
		} else if cf != nil && cf.gids != nil {
			gid, ok := cf.gids[int(cid)]
			if !ok {
				return ""
			}
			g = uint32(gid)
		}
		if cf != nil && cf.names != nil && int(g) < len(cf.names) {
			if s := glyphText(cf.names[g]); s != "" {
				return s
			}
		}
		if tt != nil && g < maxGlyphs {
			return tt.text(uint16(g))
		}
		return ""
	}
	ft.cidText = func(c, cid uint32) string {
		if ft.ucs && validRune(rune(c)) {
			return string(utf16Runes(codeBytes(c)))
		}
		if byCollection != nil {
			if s, ok := byCollection(cid); ok && meaningful(s) {
				return s
			}
		}
		if s := fromProgram(cid); s != "" {
			return s
		}
		return ""
	}
}

// codeBytes writes a UTF-16 code of one or two units.
func codeBytes(c uint32) []byte {
	if c > 0xFFFF {
		return []byte{byte(c >> 24), byte(c >> 16), byte(c >> 8), byte(c)}
	}
	return []byte{byte(c >> 8), byte(c)}
}

// readWidths reads a W array: "c [w1 w2 ...]" and "first last w".
func (f *file) readWidths(ft *font, w cos.Array) {
	for i := 0; i+1 < len(w) && len(ft.widths) < maxGlyphs*2; {
		first, ok := f.num(w[i])
		if !ok || first < 0 {
			i++
			continue
		}
		if list := f.array(w[i+1]); list != nil {
			for k, v := range list {
				ft.widths[uint32(first)+uint32(k)] = f.numOr(v, ft.dw)
			}
			i += 2
			continue
		}
		if i+2 >= len(w) {
			return
		}
		last, v := f.numOr(w[i+1], first), f.numOr(w[i+2], ft.dw)
		for c := first; c <= last && c-first < maxGlyphs; c++ {
			ft.widths[uint32(c)] = v
		}
		i += 3
	}
}

// next takes one character code off s.
func (ft *font) next(s []byte) (c uint32, n int, ch char) {
	if !ft.composite {
		return uint32(s[0]), 1, ft.codes[s[0]]
	}
	if ft.enc == nil {
		n = min(2, len(s))
		c = code(s[:n])
	} else {
		c, n = ft.enc.next(s)
	}
	if ch, ok := ft.cache[c]; ok {
		return c, n, ch
	}
	cid := c
	if ft.enc != nil {
		cid = ft.enc.cid(c)
	}
	w, ok := ft.widths[cid]
	if !ok {
		w = ft.dw
	}
	ch.width = w * 0.001
	if ft.uni != nil {
		if s, ok := ft.uni.unicode(c); ok && meaningful(s) {
			ch.text = s
		}
	}
	if ch.text == "" {
		ch.text = ft.cidText(c, cid)
	}
	if ch.text == "" {
		ch.text = "\uFFFD"
	}
	if len(ft.cache) < maxGlyphs {
		ft.cache[c] = ch
	}
	return c, n, ch
}

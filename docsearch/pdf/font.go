package pdf

import (
	"math"
	"reflect"
	"regexp"
	"strings"

	"github.com/findspot/findspot/docsearch/pdf/internal/budget"
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
	math      bool // letters and signs of formulas
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
	cache   charCache
	cidText func(code, cid uint32) string
	ucs     bool // codes are UTF-16 themselves
}

// A fontLoader reads the fonts of a page, each once per file.
type fontLoader struct {
	*cos.Reader
	set   *fontSet
	bytes int // of the fonts read for this page
}

// load returns the font of a resource, read once per file.
func (f *fontLoader) load(o cos.Object) *font {
	d := f.Dict(o)
	if d == nil {
		return nil
	}
	key := fontKey{obj: cos.ObjectNumber(o)}
	if key.obj == 0 {
		key.dict = reflect.ValueOf(map[string]cos.Object(d)).Pointer()
	}
	return f.set.get(key, d, func() (*font, bool) {
		if f.Budget.Spend(budget.CostFont) != nil {
			return nil, false // the page ends with an error soon
		}
		ft := f.newFont(d)
		n := ft.bytes()
		f.bytes += n
		f.set.weigh(n)
		return ft, f.Context.Err() == nil && f.Budget.Spend(0) == nil // else it may lack what could not be read any more
	})
}

// standIn is the font of text whose own is missing: viewers show such text in Helvetica.
func (f *fontLoader) standIn() *font {
	d := cos.Dict{"Subtype": cos.Name("Type1"), "BaseFont": cos.Name("Helvetica"), "Encoding": cos.Name("WinAnsiEncoding")}
	return f.set.get(fontKey{}, d, func() (*font, bool) { return f.newFont(d), true })
}

func (f *fontLoader) newFont(d cos.Dict) *font {
	ft := &font{scale: 0.001, em: 1, name: f.Name(d["BaseFont"])}
	sub := f.Name(d["Subtype"])
	if u, err := f.Stream(d["ToUnicode"]); len(u) > 0 && (err == nil || len(u) > 64) {
		f.Budget.Spend(budget.CostParsed * int64(len(u))) // fails where it is asked for next
		ft.uni = parseCMap(u, predefinedCMap)
	}
	desc := d
	if sub == "Type0" {
		if kids := f.Array(d["DescendantFonts"]); len(kids) > 0 {
			desc = f.Dict(kids[0])
		} else {
			desc = f.Dict(d["DescendantFonts"])
		}
		if ft.name == "" {
			ft.name = f.Name(desc["BaseFont"])
		}
	}
	fd := f.Dict(desc["FontDescriptor"])
	ft.style(f.Reader, fd)
	if !ft.mono && sub != "Type0" {
		ft.mono = even(f.Nums(d["Widths"]))
	}
	switch charset := legacyCharset(ft.name, fd, f.Reader); {
	case sub == "Type0":
		ft.composite = true
		f.compositeFont(ft, d, desc, fd)
	case sub == "TrueType" && charset != "" && ft.uni == nil:
		ft.legacy(charset)
	default:
		f.simpleFont(ft, d, fd, sub)
	}
	return ft
}

// even reports whether many characters are all of one width: bitmap fonts have no name that says so.
func even(widths []float64) bool {
	n, width := 0, 0.0
	for _, w := range widths {
		switch {
		case w == 0:
		case width == 0:
			n, width = 1, w
		case math.Abs(w-width) > .001*width:
			return false
		default:
			n++
		}
	}
	return n >= 12
}

// style reads weight, slant and pitch off the descriptor and the name.
func (ft *font) style(f *cos.Reader, fd cos.Dict) {
	flags := int(f.NumOr(fd["Flags"], 0))
	n := strings.ToLower(ft.name)
	ft.math = mathName(ft.name)
	ft.mono = flags&1 != 0 || strings.Contains(n, "courier") || strings.Contains(n, "mono") || strings.Contains(n, "cmtt") || strings.Contains(n, "sftt") || strings.Contains(n, "ectt")
	ft.italic = flags&64 != 0 || strings.Contains(n, "italic") || strings.Contains(n, "oblique") || strings.Contains(n, "cmti") || strings.HasSuffix(n, "ital") || strings.Contains(n, "slant") ||
		strings.Contains(n, "sfti") || strings.Contains(n, "ecti") || strings.Contains(n, "cmsl")
	ft.bold = flags&(1<<18) != 0 || strings.Contains(n, "bold") || strings.Contains(n, "black") || strings.Contains(n, "heavy") ||
		strings.Contains(n, "cmbx") || strings.Contains(n, "sfbx") || strings.Contains(n, "ecbx") || strings.HasSuffix(n, "-medi") || strings.HasSuffix(n, "-mediital") || strings.Contains(n, "demi") || f.NumOr(fd["FontWeight"], 400) >= 600
}

// program returns the embedded font program, parsed as what it is.
func (f *fontLoader) program(fd cos.Dict) (tt *sfnt, cf *cffFont, t1 *encoding) {
	for _, key := range []string{"FontFile2", "FontFile3", "FontFile"} {
		if fd[key] == nil {
			continue
		}
		data, _ := f.Stream(fd[key])
		if len(data) < 4 || f.Budget.Spend(budget.CostParsed*int64(len(data))) != nil {
			continue
		}
		f.set.weigh(2 * len(data))
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
	if ch := ft.cache.look(c); ch != nil {
		return c, n, *ch
	}
	return c, n, ft.cache.get(c, ft.char)
}

// char works out what a code of a composite font stands for. It is called by the cache alone, one call at a time.
func (ft *font) char(c uint32) (ch char) {
	cid := c
	if ft.enc != nil {
		cid = ft.enc.cid(c)
	}
	w, ok := ft.widths[cid]
	if !ok {
		w = ft.dw
	}
	ch.width = w * 0.001
	if ch.text = ft.stated(c); ch.text == "" {
		ch.text = ft.cidText(c, cid)
	}
	switch ch.text {
	case "":
		ch.text = "\uFFFD"
	case silent:
		ch.text = ""
	default:
		ch.text = spelled(ch.text)
	}
	return ch
}

// mathFont matches the names of fonts that hold mathematical letters and signs: TeX's, and those made for formula editors.
var mathFont = regexp.MustCompile(`(?i)^(cm(mi|sy|ex|bsy|mib)|lmmath|ms[ab]m|eu[fsr][mb]|rsfs|stmary|txsy|txmi|pxsy|pxmi|mtmi|mtsy|mtex|mt2|wasy|esint|bbm|dsrom|rmtmi|tx?ex|zxs|ptmr7|nimbus.*ital.*7)|cambriamath|stixmath|xitsmath|latinmodernmath|asanamath|stix.*math|.*math-?(regular|italic)?$|mathematicalpi|euclidsymbol|euclidmath|mtextra`)

// mathName reports whether a font of this name is one.
func mathName(n string) bool {
	if len(n) > 7 && n[6] == '+' {
		n = n[7:]
	}
	return mathFont.MatchString(n)
}

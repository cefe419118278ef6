package font

import (
	"math"
	"reflect"
	"strings"

	"github.com/findspot/findspot/docsearch/pdf/internal/budget"
	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/docsearch/pdf/internal/encoding"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// fontKey identifies a font within a file: its object, or its dictionary when it is written in place.
type fontKey struct {
	obj  int
	dict uintptr
}

// A char is what a font tells of one code.
type char struct {
	Text  string
	Width float64 // advance in text space for size 1
}

// A Font turns the strings of a content stream into characters.
type Font struct {
	Name      string
	Bold      bool
	Italic    bool
	Mono      bool
	Math      bool // letters and signs of formulas
	composite bool
	type3     bool
	Vertical  bool
	Em        float64 // letter size in text space for size 1: 1, but for Type 3 fonts
	Scale     float64 // text space units per glyph space unit: .001, or that of a Type 3 font's matrix
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

// A Loader reads the fonts of a page, each once per file.
type Loader struct {
	*cos.Reader
	Set   *Set
	Bytes int // of the fonts read for this page
}

// Load returns the font of a resource, read once per file.
func (f *Loader) Load(o cos.Object) *Font {
	d := f.Dict(o)
	if d == nil {
		return nil
	}
	key := fontKey{obj: cos.ObjectNumber(o)}
	if key.obj == 0 {
		key.dict = reflect.ValueOf(map[string]cos.Object(d)).Pointer()
	}
	return f.Set.get(key, d, func() (*Font, bool) {
		if f.Budget.Spend(budget.CostFont) != nil {
			return nil, false // the page ends with an error soon
		}
		ft := f.newFont(d)
		n := ft.bytes()
		f.Bytes += n
		f.Set.weigh(n)
		return ft, f.Context().Err() == nil && f.Budget.Spend(0) == nil // else it may lack what could not be read any more
	})
}

// StandIn is the font of text whose own is missing: viewers show such text in Helvetica.
func (f *Loader) StandIn() *Font {
	d := cos.Dict{"Subtype": cos.Name("Type1"), "BaseFont": cos.Name("Helvetica"), "Encoding": cos.Name("WinAnsiEncoding")}
	return f.Set.get(fontKey{}, d, func() (*Font, bool) { return f.newFont(d), true })
}

func (f *Loader) newFont(d cos.Dict) *Font {
	ft := &Font{Scale: 0.001, Em: 1, Name: f.Name(d["BaseFont"])}
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
		if ft.Name == "" {
			ft.Name = f.Name(desc["BaseFont"])
		}
	}
	fd := f.Dict(desc["FontDescriptor"])
	ft.style(f.Reader, fd)
	if !ft.Mono && sub != "Type0" {
		ft.Mono = even(f.Nums(d["Widths"]))
	}
	switch charset := legacyCharset(ft.Name, fd, f.Reader); {
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
func (ft *Font) style(f *cos.Reader, fd cos.Dict) {
	flags := int(f.NumOr(fd["Flags"], 0))
	n := strings.ToLower(ft.Name)
	ft.Math = isMathName(ft.Name)
	ft.Mono = flags&1 != 0 || strings.Contains(n, "courier") || strings.Contains(n, "mono") || strings.Contains(n, "cmtt") || strings.Contains(n, "sftt") || strings.Contains(n, "ectt")
	ft.Italic = flags&64 != 0 || strings.Contains(n, "italic") || strings.Contains(n, "oblique") || strings.Contains(n, "cmti") || strings.HasSuffix(n, "ital") || strings.Contains(n, "slant") ||
		strings.Contains(n, "sfti") || strings.Contains(n, "ecti") || strings.Contains(n, "cmsl")
	ft.Bold = flags&(1<<18) != 0 || strings.Contains(n, "bold") || strings.Contains(n, "black") || strings.Contains(n, "heavy") ||
		strings.Contains(n, "cmbx") || strings.Contains(n, "sfbx") || strings.Contains(n, "ecbx") || strings.HasSuffix(n, "-medi") || strings.HasSuffix(n, "-mediital") || strings.Contains(n, "demi") || f.NumOr(fd["FontWeight"], 400) >= 600
}

// program returns the embedded font program, parsed as what it is.
func (f *Loader) program(fd cos.Dict) (tt *sfnt, cf *cffFont, t1 *encoding.Encoding) {
	for _, key := range []string{"FontFile2", "FontFile3", "FontFile"} {
		if fd[key] == nil {
			continue
		}
		data, _ := f.Stream(fd[key])
		if len(data) < 4 || f.Budget.Spend(budget.CostParsed*int64(len(data))) != nil {
			continue
		}
		f.Set.weigh(2 * len(data))
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

// Next takes one character code off s.
func (ft *Font) Next(s []byte) (c uint32, n int, ch char) {
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
func (ft *Font) char(c uint32) (ch char) {
	cid := c
	if ft.enc != nil {
		cid = ft.enc.cid(c)
	}
	w, ok := ft.widths[cid]
	if !ok {
		w = ft.dw
	}
	ch.Width = w * 0.001
	if ch.Text = ft.stated(c); ch.Text == "" {
		ch.Text = ft.cidText(c, cid)
	}
	switch ch.Text {
	case "":
		ch.Text = "\uFFFD"
	case encoding.Silent:
		ch.Text = ""
	default:
		ch.Text = encoding.Spell(ch.Text)
	}
	return ch
}

// mathFont matches the names of fonts that hold mathematical letters and signs: TeX's, and those made for formula editors.
var mathFont = lazyregexp.New(`(?i)^(cm(mi|sy|ex|bsy|mib)|lmmath|ms[ab]m|eu[fsr][mb]|rsfs|stmary|txsy|txmi|pxsy|pxmi|mtmi|mtsy|mtex|mt2|wasy|esint|bbm|dsrom|rmtmi|tx?ex|zxs|ptmr7|nimbus.*ital.*7)|cambriamath|stixmath|xitsmath|latinmodernmath|asanamath|stix.*math|.*math-?(regular|italic)?$|mathematicalpi|euclidsymbol|euclidmath|mtextra`)

// isMathName reports whether a font of this name is one.
func isMathName(n string) bool {
	if len(n) > 7 && n[6] == '+' {
		n = n[7:]
	}
	return mathFont.MatchString(n)
}

package font

import (
	"math"
	"strings"
	"unicode"

	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/docsearch/pdf/internal/encoding"
)

// Fonts that say nothing about what their glyphs show still keep their advances, and those of a Latin font are a
// fingerprint of its order: narrow i, l and the comma, wide m and W, ten digits of one width. An order of glyphs that is
// usual is believed when the advances go with those of Helvetica or Times.

// A glyphOrder is a usual way to number the glyphs of a Latin font.
type glyphOrder struct {
	first int // number of the space
	names func() []string
}

var glyphOrders = []glyphOrder{
	{3, macGlyphs},   // TrueType fonts in the Macintosh order
	{1, cffStrings},  // Adobe's fonts in the order of the standard strings
	{0, asciiNames},  // the printable characters from 0 on
	{32, asciiNames}, // codes are ASCII
}

// asciiNames are the glyph names of ASCII from space on.
func asciiNames() []string { return cffStrings()[1:96] }

const (
	orderMin      = 6  // fewest glyphs with an advance to judge by
	orderSure     = 10 // from here on a lower correlation is enough
	orderFitFew   = .93
	orderFitMany  = .8
	orderFitRare  = .9 // for orders that are not usual
	orderMaxGlyph = 258
)

// guessOrder returns what the glyphs of a font show by number, nil when no usual order fits. advance returns that of a
// glyph in any unit, 0 when it is not used.
func guessOrder(advance func(n int) float64) []string {
	best, fit := -1, 0.0
	for i, o := range glyphOrders {
		if v := o.fit(advance); v > fit {
			best, fit = i, v
		}
	}
	if best >= 0 {
		return glyphOrders[best].texts()
	}
	// Converters also drop some glyphs before the printable characters, or put some more there.
	rare := glyphOrder{first: -1, names: asciiNames}
	for first := 2; first < 32; first++ {
		o := glyphOrder{first, asciiNames}
		if v := o.fit(advance); v > max(fit, orderFitRare) && o.advances(advance) >= orderSure {
			rare, fit = o, v
		}
	}
	if rare.first < 0 {
		return nil
	}
	return rare.texts()
}

// texts returns the text of each glyph by number.
func (o glyphOrder) texts() []string {
	names := o.names()
	skip := 0
	for skip < len(names) && names[skip] != "space" {
		skip++
	}
	out := make([]string, min(o.first+len(names)-skip, orderMaxGlyph))
	for i := o.first; i < len(out); i++ {
		out[i] = encoding.GlyphText(names[skip+i-o.first])
	}
	return out
}

// advances counts the glyphs that there is an advance for.
func (o glyphOrder) advances(advance func(n int) float64) (n int) {
	for i := 1; i < len(asciiNames()); i++ {
		if advance(o.first+i) > 0 {
			n++
		}
	}
	return n
}

// fit is the correlation of the advances with those of a common font if it is high enough to believe in the order,
// else 0.
func (o glyphOrder) fit(advance func(n int) float64) float64 {
	names := asciiNames()
	best := 0.0
	for _, core := range [...]string{"Helvetica", "Times-Roman", "Helvetica-Bold", "Times-Bold"} {
		ref := coreWidths()[core]
		var n, sx, sy, sxx, syy, sxy float64
		for i := 1; i < len(names); i++ { // not the space: every order has one, and producers stretch it
			x, y := advance(o.first+i), ref[names[i]]
			if x <= 0 || y <= 0 {
				continue
			}
			n++
			sx, sy, sxx, syy, sxy = sx+x, sy+y, sxx+x*x, syy+y*y, sxy+x*y
		}
		if n < orderMin {
			return 0
		}
		vx, vy := n*sxx-sx*sx, n*syy-sy*sy
		if vx <= 1e-9*n*sxx || vy <= 0 { // one width for all says nothing
			return 0
		}
		v := (n*sxy - sx*sy) / math.Sqrt(vx*vy)
		if limit := orderFitMany; v >= limit && (n >= orderSure || v >= orderFitFew) {
			best = math.Max(best, v)
		}
	}
	return best
}

// Fonts of Windows whose glyphs are in the Macintosh order. Their names settle it where the advances are not stated or
// all alike.
func macOrdered(name string) bool {
	n := strings.ToLower(strings.NewReplacer(" ", "", "-", "", "_", "").Replace(plainName(name)))
	for _, p := range [...]string{"arial", "timesnewroman", "couriernew", "verdana", "tahoma", "georgia", "trebuchet", "comicsans"} {
		if strings.HasPrefix(n, p) {
			return true
		}
	}
	return false
}

// rawCode is the text of a character code in a font that nothing is known of: the character that has this number. It is
// not what is printed, but it is what every viewer puts on the clipboard (MuPDF, PDFium, pdf.js and poppler agree), so
// what is copied there is found here, and equal words stay equal. A code that is no visible character is U+FFFD.
func rawCode(c uint32) string {
	if r := rune(c); c <= unicode.MaxRune && encoding.ValidRune(r) && unicode.IsGraphic(r) {
		return string(r)
	}
	return "\uFFFD"
}

// nameNumbers reads the numbers out of glyph names that only number a glyph: "65", "a65", "g65", "char65", and in fonts
// where such a name has a hexadecimal digit, "GED". Codes with other names have -1.
func nameNumbers(differences *encoding.Encoding) (nums [256]int, any bool) {
	hex := false
	for c, name := range differences {
		nums[c] = -1
		if name == "" || name == ".notdef" || encoding.GlyphText(name) != "" {
			continue
		}
		if v := decimalName(name); v >= 0 {
			nums[c], any = v, true
		} else if hexName(name) >= 0 {
			hex = true
		}
	}
	if !hex {
		return nums, any
	}
	all := nums
	for c, name := range differences {
		if name == "" || name == ".notdef" || nums[c] < 0 && encoding.GlyphText(name) != "" {
			continue
		}
		if all[c] = hexName(name); all[c] < 0 && nums[c] >= 0 {
			return nums, any // decimal numbers and, beside them, names that only look hexadecimal
		}
	}
	return all, true
}

func decimalName(name string) int {
	digits := strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	if digits == "" || len(digits) > 5 || len(name)-len(digits) > 5 {
		return -1
	}
	v := 0
	for _, c := range digits {
		if c < '0' || c > '9' {
			return -1
		}
		v = v*10 + int(c-'0')
	}
	return v
}

// hexName reads "G4B" or "g004b": a letter and two or four hexadecimal digits.
func hexName(name string) int {
	if len(name) != 3 && len(name) != 5 || cos.HexDigit(name[0]) >= 0 && name[0] != 'a' && name[0] != 'c' && name[0] != 'C' {
		return -1
	}
	v := 0
	for i := 1; i < len(name); i++ {
		d := cos.HexDigit(name[i])
		if d < 0 {
			return -1
		}
		v = v<<4 | d
	}
	return v
}

// guessSimple finds the text of the codes of a simple font whose glyphs have no telling names. nums are the numbers in
// those names; where there are none, the code stands for itself. unnamed are the codes to find, declared those whose advance
// the font states.
func guessSimple(ft *Font, nums *[256]int, unnamed, declared *[256]bool) (out [256]string) {
	var byNumber [256]float64
	letters, used, beyond := 0, 0, map[int]float64{}
	for c := range 256 {
		if !unnamed[c] || !declared[c] {
			continue
		}
		n := c
		if nums[c] >= 0 {
			n = nums[c]
		}
		beyond[n] = ft.codes[c].Width
		if n < 256 {
			byNumber[n] = ft.codes[c].Width
		}
		used++
		if n >= 'a' && n <= 'z' {
			letters++
		}
	}
	var texts []string
	enc := texEncoding(&byNumber)
	if enc == nil {
		texts = guessOrder(func(n int) float64 { return beyond[n] })
	}
	win := encoding.All()["WinAnsi"]
	for c := range 256 {
		if !unnamed[c] {
			continue
		}
		n := c
		if nums[c] >= 0 {
			n = nums[c]
		}
		switch {
		case n > 255 && n >= len(texts):
		case enc != nil:
			out[c] = encoding.GlyphText(enc[n])
		case n < len(texts) && texts[n] != "":
			out[c] = texts[n]
		case n >= 32 && n <= 255:
			out[c] = encoding.GlyphText(win[n])
		case n >= 11 && n <= 15 && letters*5 >= used*2: // another text font of TeX: the ligatures of its first codes
			out[c] = []string{"ff", "fi", "fl", "ffi", "ffl"}[n-11]
		}
	}
	return out
}

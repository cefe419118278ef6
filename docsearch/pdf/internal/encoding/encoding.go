package encoding

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
	"unicode/utf16"
)

//go:embed encodings.txt
var encodingsText string

//go:embed glyphlist.txt
var glyphListText string

//go:embed texglyphs.txt
var texGlyphsText string

// Silent is the text of a glyph that is known to say nothing by itself, as the pieces of a large brace.
const Silent = "\x00"

// An Encoding maps the codes of a simple font to glyph names.
type Encoding [256]string

// All returns the encodings of ISO 32000-1 annex D by their short names: Standard, WinAnsi, MacRoman,
// MacExpert, Symbol, ZapfDingbats, PDFDoc; and those of TeX: TeXText (OT1), TeXTypewriter, TeXMathItalic (OML),
// TeXMathSymbols (OMS), TeXMathExtension (OMX), TeXSymbolsA and B (AMS), TeXCork (T1).
func All() map[string]*Encoding { return all() }

var all = sync.OnceValue(func() map[string]*Encoding {
	m := map[string]*Encoding{}
	var cur *Encoding
	for line := range strings.Lines(encodingsText) {
		a, b, ok := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case !ok || a == "#":
		case a == "=":
			cur = new(Encoding)
			m[b] = cur
		default:
			if v, err := strconv.ParseUint(a, 16, 8); err == nil && cur != nil {
				cur[v] = b
			}
		}
	}
	return m
})

// Named returns the encoding that a PDF calls by name ("WinAnsiEncoding"), or nil.
func Named(name string) *Encoding {
	return All()[strings.TrimSuffix(name, "Encoding")]
}

// glyphList maps glyph names to text.
var glyphList = sync.OnceValue(func() map[string]string {
	m := make(map[string]string, 4900)
	for line := range strings.Lines(glyphListText + texGlyphsText) {
		name, codes, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || name == "#" {
			continue
		}
		if codes == "-" {
			m[name] = Silent
			continue
		}
		var b strings.Builder
		for c := range strings.SplitSeq(codes, "_") {
			if v, err := strconv.ParseUint(c, 16, 32); err == nil {
				b.WriteRune(rune(v))
			}
		}
		m[name] = b.String()
	}
	return m
})

// DingbatText returns the text of a glyph name of the ZapfDingbats font ("a97"). In other fonts such names mean
// something else.
func DingbatText(name string) string {
	for code, n := range All()["ZapfDingbats"] {
		if n == name && n != "space" {
			return string(Dingbat(code))
		}
	}
	return ""
}

// Dingbat returns the character at a code of the ZapfDingbats font. Unicode's Dingbats block keeps the font's order,
// but for characters that other blocks already had.
func Dingbat(code int) rune {
	switch code {
	case 0x25:
		return 0x260E
	case 0x2A:
		return 0x261B
	case 0x2B:
		return 0x261E
	case 0x48:
		return 0x2605
	case 0x6C:
		return 0x25CF
	case 0x6E:
		return 0x25A0
	case 0x73:
		return 0x25B2
	case 0x74:
		return 0x25BC
	case 0x75:
		return 0x25C6
	case 0x77:
		return 0x25D7
	case 0xA8:
		return 0x2663
	case 0xA9:
		return 0x2666
	case 0xAA:
		return 0x2665
	case 0xAB:
		return 0x2660
	case 0xD5:
		return 0x2192
	case 0xD6:
		return 0x2194
	case 0xD7:
		return 0x2195
	}
	switch {
	case code >= 0x21 && code <= 0x7E:
		return rune(0x2700 + code - 0x20)
	case code >= 0xAC && code <= 0xB5:
		return rune(0x2460 + code - 0xAC)
	case code >= 0xA1 && code <= 0xFE:
		return rune(0x2700 + code - 0x40)
	}
	return 0
}

// GlyphText returns the text a glyph name stands for by the rules of the Adobe Glyph List: the list itself, uniXXXX,
// uXXXX to uXXXXXX, parts joined by "_", and everything after a "." left out. The sizes in which TeX's fonts hold a sign
// ("uniondisplay", "floorleftBigg") are dropped. It returns "" for a name without meaning, and [silent] for a piece of a sign.
func GlyphText(name string) string {
	if s, ok := glyphList()[name]; ok {
		return s
	}
	if i := strings.IndexByte(name, '.'); i >= 0 {
		if i == 0 {
			return ""
		}
		return GlyphText(name[:i])
	}
	if strings.Contains(name, "_") {
		var b strings.Builder
		for p := range strings.SplitSeq(name, "_") {
			t := ""
			if p != "" {
				t = GlyphText(p)
			}
			if t == "" {
				return ""
			}
			b.WriteString(t)
		}
		return b.String()
	}
	if h, ok := strings.CutPrefix(name, "uni"); ok && len(h) >= 4 && len(h)%4 == 0 {
		var b strings.Builder
		for i := 0; i < len(h); i += 4 {
			v, err := strconv.ParseUint(h[i:i+4], 16, 32)
			if err != nil || !ValidRune(rune(v)) {
				return ""
			}
			b.WriteRune(rune(v))
		}
		return b.String()
	}
	if h, ok := strings.CutPrefix(name, "u"); ok && len(h) >= 4 && len(h) <= 6 {
		if v, err := strconv.ParseUint(h, 16, 32); err == nil && ValidRune(rune(v)) {
			return string(rune(v))
		}
	}
	for _, size := range [...]string{"text", "display", "bigg", "big", "Bigg", "Big"} {
		if h, ok := strings.CutSuffix(name, size); ok && len(h) > 3 {
			return glyphList()[h]
		}
	}
	return ""
}

// ValidRune reports whether r may stand in text.
func ValidRune(r rune) bool {
	return r > 0 && r <= 0x10FFFF && (r < 0xD800 || r > 0xDFFF) && r != 0xFFFE && r != 0xFFFF
}

// Spell writes the Latin ligatures as the letters that they are set for. They are how a text looks, not what it says, and
// who searches or copies "field" does not type U+FB01.
func Spell(s string) string {
	if len(s) == 3 && s[0] == 0xEF && s[1] == 0xAC && s[2] >= 0x80 && s[2] <= 0x86 { // UTF-8 of U+FB00 to U+FB06
		return [...]string{"ff", "fi", "fl", "ffi", "ffl", "st", "st"}[s[2]-0x80]
	}
	return s
}

// UTF16Runes decodes big-endian UTF-16; a single byte stands for itself.
func UTF16Runes(b []byte) []rune {
	if len(b) == 1 {
		return []rune{rune(b[0])}
	}
	u := make([]uint16, 0, len(b)/2)
	for i := 0; i+1 < len(b) && i < 512; i += 2 {
		u = append(u, uint16(b[i])<<8|uint16(b[i+1]))
	}
	return utf16.Decode(u)
}

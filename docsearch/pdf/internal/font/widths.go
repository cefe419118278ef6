package font

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

//go:embed widths.txt
var widthsText string

// coreWidths holds the advances of the standard fonts by font and glyph name, in thousandths of an em. The fonts of one
// pitch and the slanted forms of Helvetica are not in it.
var coreWidths = sync.OnceValue(func() map[string]map[string]float64 {
	m := map[string]map[string]float64{}
	var cur []string
	for line := range strings.Lines(widthsText) {
		f := strings.Fields(line)
		switch {
		case len(f) == 0 || f[0] == "#":
		case f[0] == "=":
			cur = f[1:]
			for _, n := range cur {
				m[n] = map[string]float64{}
			}
		default:
			for i, n := range cur {
				if v, err := strconv.ParseFloat(f[min(i+1, len(f)-1)], 64); err == nil {
					m[n][f[0]] = v
				}
			}
		}
	}
	return m
})

// CoreWidth is the advance of a glyph of one of the 14 standard fonts, in thousandths of an em. A glyph that the font
// lacks has that of an average letter.
func CoreWidth(core, name string) float64 {
	if strings.HasPrefix(core, "Courier") {
		return 600
	}
	w := coreWidths()[strings.Replace(core, "Oblique", "", 1)]
	if w == nil {
		w = coreWidths()[strings.TrimSuffix(core, "-Oblique")]
	}
	if v, ok := w[name]; ok {
		return v
	}
	return 500
}

var coreNames = map[string]bool{
	"Courier": true, "Courier-Bold": true, "Courier-Oblique": true, "Courier-BoldOblique": true,
	"Helvetica": true, "Helvetica-Bold": true, "Helvetica-Oblique": true, "Helvetica-BoldOblique": true,
	"Times-Roman": true, "Times-Bold": true, "Times-Italic": true, "Times-BoldItalic": true,
	"Symbol": true, "ZapfDingbats": true,
}

// coreName is the standard font that stands in for a font without widths.
func coreName(name string, bold, italic, mono bool, flags int) string {
	n := plainName(name)
	if coreNames[n] {
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

// plainName drops the subset tag of a font's name.
func plainName(name string) string {
	if len(name) > 7 && name[6] == '+' {
		return name[7:]
	}
	return name
}

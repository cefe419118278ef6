package font

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/findspot/findspot/docsearch/pdf/internal/encoding"
)

//go:embed texwidths.txt
var texWidthsText string

// A texFont is the advances of one of TeX's fonts, by code.
type texFont struct {
	enc    string // name among encoding.All()
	widths []float64
}

var texFonts = sync.OnceValue(func() []texFont {
	var out []texFont
	enc := ""
	for line := range strings.Lines(texWidthsText) {
		f := strings.Fields(line)
		switch {
		case len(f) < 2 || f[0] == "#":
		case f[0] == "=":
			enc = f[1]
		default:
			t := texFont{enc: enc, widths: make([]float64, len(f)-1)}
			for i, s := range f[1:] {
				t.widths[i], _ = strconv.ParseFloat(s, 64) // the file is ours; a test reads all of it
			}
			out = append(out, t)
		}
	}
	return out
})

// The programs that turned TeX's output into PostScript wrote bitmap fonts without the names of their glyphs. What is left
// is the advance of each code, rounded to the pixels of a printer, and that tells Computer Modern's text, italic and symbol
// fonts apart: the ratios within a font are its own.
const (
	texMinCodes = 4
	texMaxError = .05 // root mean square error of the advances, relative to the mean one
)

// texEncoding returns the encoding of the TeX font whose advances are those of the given codes, nil when none fits. A
// code without an advance is not used.
func texEncoding(widths *[256]float64) *encoding.Encoding {
	var codes []int
	for c, w := range widths {
		if w > 0 {
			codes = append(codes, c)
		}
	}
	if len(codes) < texMinCodes || !varied(codes, widths) {
		return nil
	}
	best, bestErr := "", texMaxError
	if len(codes) < 2*texMinCodes { // few codes fit by chance
		bestErr /= 2
	}
	for _, t := range texFonts() {
		if e := t.misfit(codes, widths); e < bestErr {
			best, bestErr = t.enc, e
		}
	}
	return encoding.All()[best]
}

// varied reports whether the advances differ enough to tell a font by.
func varied(codes []int, widths *[256]float64) bool {
	n, sum, squares := float64(len(codes)), 0.0, 0.0
	for _, c := range codes {
		sum, squares = sum+widths[c], squares+widths[c]*widths[c]
	}
	return squares/n-sum*sum/n/n > .01*sum*sum/n/n
}

// misfit is the error of the advances after scaling t to them, +Inf when t lacks one of the codes.
func (t *texFont) misfit(codes []int, widths *[256]float64) float64 {
	var xx, xy, sum float64
	for _, c := range codes {
		if c >= len(t.widths) || t.widths[c] == 0 {
			return math.Inf(1)
		}
		xx += t.widths[c] * t.widths[c]
		xy += t.widths[c] * widths[c]
		sum += widths[c]
	}
	scale, n := xy/xx, float64(len(codes))
	var e float64
	for _, c := range codes {
		d := widths[c] - scale*t.widths[c]
		e += d * d
	}
	return math.Sqrt(e/n) / (sum / n)
}

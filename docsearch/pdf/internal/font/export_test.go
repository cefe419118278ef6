package font

import "github.com/findspot/findspot/docsearch/pdf/internal/encoding"

var (
	ASCIINames = asciiNames
	CoreWidths = coreWidths
)

// TeXWidths returns the advances of the first of TeX's fonts that has an encoding.
func TeXWidths(name string) []float64 {
	for _, f := range texFonts() {
		if encoding.All()[f.enc] == encoding.All()[name] {
			return f.widths
		}
	}
	return nil
}

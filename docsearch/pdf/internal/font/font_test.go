package font_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch/pdf"

	"github.com/findspot/findspot/docsearch/pdf/internal/font"
	"github.com/findspot/findspot/docsearch/pdf/internal/pdftest"
	"github.com/google/go-cmp/cmp"
)

// advances writes the advances of Helvetica for the characters from space on, as a W or Widths array wants them.
func advances(n int) string {
	var b strings.Builder
	for _, name := range font.ASCIINames()[:n] {
		fmt.Fprintf(&b, "%v ", font.CoreWidths()["Helvetica"][name])
	}
	return b.String()
}

// codesFrom writes s as two-byte codes, its characters counted from space and a first number.
func codesFrom(s string, first int) string {
	var b strings.Builder
	for _, r := range s {
		fmt.Fprintf(&b, "%04X", int(r)-32+first)
	}
	return b.String()
}

// text is the text of a document's first page.
func text(t *testing.T, data []byte) string {
	t.Helper()
	d, err := pdf.New(nil).Open(t.Context(), bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for p, err := range d.Pages(t.Context(), 1, 1) {
		if err != nil {
			t.Fatal(err)
		}
		return p.Text
	}
	return ""
}

func TestFonts(t *testing.T) {
	composite := func(more, kid string) string {
		return "/Font<</F<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H" + more + "/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/X" +
			"/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>" + kid + ">>]>>>>"
	}
	tex := func(name string, first, last int) string {
		widths := font.TeXWidths(name)
		var b strings.Builder
		for c := first; c <= last; c++ {
			fmt.Fprintf(&b, "%v ", int(widths[c]*41.5/1000+.5)) // ten points on a printer of 300 dots per inch
		}
		return b.String()
	}
	bitmap := func(enc string, first, last int) func(*pdftest.Builder) string {
		return func(b *pdftest.Builder) string {
			p := b.Stream("", "20 0 0 0 20 20 d1")
			var procs, names strings.Builder
			for c := first; c <= last; c++ {
				fmt.Fprintf(&procs, "/a%d %d 0 R", c, p)
				fmt.Fprintf(&names, "/a%d", c)
			}
			return fmt.Sprintf("/Font<</F<</Type/Font/Subtype/Type3/FontBBox[0 0 40 40]/FontMatrix[.024 0 0 .024 0 0]/CharProcs<<%s>>/Encoding<</Differences[%d%s]>>"+
				"/FirstChar %d/LastChar %d/Widths[%s]>>>>", procs.String(), first, names.String(), first, last, tex(enc, first, last))
		}
	}
	tests := []struct {
		name      string
		resources func(*pdftest.Builder) string
		show      string
		want      string
	}{
		{"order of TrueType fonts", func(*pdftest.Builder) string { return composite("", "/W[3["+advances(95)+"]]") }, "<" + codesFrom("Clause 4: moved", 3) + ">", "Clause 4: moved\n"},
		{"order from the first character on", func(*pdftest.Builder) string { return composite("", "/W[0["+advances(95)+"]]") }, "<" + codesFrom("Clause 4", 0) + ">", "Clause 4\n"},
		{"order with some glyphs before", func(*pdftest.Builder) string { return composite("", "/W[4["+advances(95)+"]]") }, "<" + codesFrom("Market", 4) + ">", "Market\n"},
		{"name of a font that is not embedded", func(*pdftest.Builder) string { return strings.ReplaceAll(composite("", ""), "/X", "/CourierNew,Bold") }, "<" + codesFrom("code", 3) + ">", "code\n"},
		{"no order fits: what viewers copy", func(*pdftest.Builder) string { return composite("", "/DW 600") }, "<00410142000300E9>", "Ał\uFFFDé\n"},
		{"name in the place of a ToUnicode map", func(*pdftest.Builder) string { return composite("/ToUnicode/Identity-H", "/DW 600") }, "<00480069>", "Hi\n"},
		{"ToUnicode with its bytes turned", func(b *pdftest.Builder) string {
			u := b.Flate("", "1 begincodespacerange <0000> <FFFF> endcodespacerange 4 beginbfchar <0001> <4D00> <0002> <7500> <0003> <6C00> <0004> <7400> endbfchar")
			return composite(fmt.Sprintf("/ToUnicode %d 0 R", u), "/DW 600")
		}, "<0001000200030004>", "Mult\n"},
		{"ToUnicode with a code of Windows", func(b *pdftest.Builder) string {
			u := b.Flate("", "1 begincodespacerange <0000> <FFFF> endcodespacerange 2 beginbfchar <0001> <0096> <0002> <0061> endbfchar")
			return composite(fmt.Sprintf("/ToUnicode %d 0 R", u), "/DW 600")
		}, "<000200010002>", "a–a\n"},
		{"bitmaps of TeX's text font", bitmap("TeXText", 11, 122), "(e\\013ect\\014le)", "effectfile\n"},
		{"bitmaps of TeX's italic", bitmap("TeXMathItalic", 11, 60), "<0B0C0D0E>", "αβγδ\n"},
		{"bitmaps of TeX's symbols", bitmap("TeXMathSymbols", 0, 50), "<0214>", "×≤\n"},
		{"hexadecimal names", func(*pdftest.Builder) string {
			return "/Font<</F<</Type/Font/Subtype/Type1/BaseFont/X/FirstChar 1/LastChar 3/Widths[500 500 500]/Encoding<</Differences[1/G4B/G61/GED]>>>>>>"
		}, "<010203>", "Kaí\n"},
		{"old Windows font with a Chinese name", func(*pdftest.Builder) string {
			return "/Font<</F<</Type/Font/Subtype/TrueType/BaseFont/#CB#CE#CC#E5/Encoding/WinAnsiEncoding/FirstChar 0/LastChar 0/Widths[500]>>>>"
		}, "<C8ABCAC0BDE741>", "全世界A\n"},
		{"font that is missing", func(*pdftest.Builder) string { return "" }, "(Helvetica stands in)", "Helvetica stands in\n"},
		{"signs of TeX by name", func(*pdftest.Builder) string {
			return "/Font<</F<</Type/Font/Subtype/Type1/BaseFont/X/FirstChar 1/LastChar 5/Widths[500 500 500 500 500]/Encoding<</Differences[1/uniondisplay/floorleftBigg/diamondmath/subsetnoteql/bracehtipupleft]>>>>>>"
		}, "<0102030405>", "∪⌊⋄⊊\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := pdftest.NewBuilder()
			b.Page(tt.resources(b), "BT /F 10 Tf 50 700 Td "+tt.show+" Tj ET", "")
			if diff := cmp.Diff(tt.want, text(t, b.Bytes())); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
}

func TestResourcesAbove(t *testing.T) {
	b := pdftest.NewBuilder()
	c := b.Stream("", "BT /F 10 Tf 50 700 Td (found above) Tj ET")
	n := b.Add(fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</XObject<<>>>>/Contents %d 0 R>>", c))
	b.Pages = append(b.Pages, n)
	if diff := cmp.Diff("found above\n", text(t, b.Bytes())); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

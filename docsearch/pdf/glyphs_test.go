package pdf

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf/internal/pdftest"
)

const hebrewUnicode = `/CIDInit /ProcSet findresource begin begincmap
1 begincodespacerange <00> <FF> endcodespacerange
3 beginbfchar <41> <05E9> <42> <05DC> <43> <05D5> endbfchar
2 beginbfchar <44> <05DD> <45> <06440627> endbfchar
endcmap end`

// The expected boxes of upright words are those of pdftotext -bbox (poppler 22.12) on the same bytes; they may differ by a point.
func TestLocate(t *testing.T) {
	fixed := "/Font<</F<</Type/Font/Subtype/Type1/BaseFont/X/FirstChar 65/LastChar 70/Widths[500 500 500 500 1000 500]/ToUnicode %d 0 R>>>>"
	tests := []struct {
		name, find string // find: the text looked for
		build      func(b *pdftest.Builder)
		want       []extract.Box
	}{
		{"a word", "brown", func(b *pdftest.Builder) {
			b.Page(pdftest.Helvetica, "BT /F 12 Tf 50 700 Td (The quick brown fox) Tj ET", "")
		}, []extract.Box{{X0: 105.4, Y0: 91.4, X1: 138, Y1: 102.5}}},
		{"over the end of a line", "cell\nsearch", func(b *pdftest.Builder) {
			b.Page(pdftest.Helvetica, "BT /F 10 Tf 12 TL 50 700 Td (procedure of cell) Tj T* (search is) Tj ET", "")
		}, []extract.Box{{X0: 108.9, Y0: 92.8, X1: 123.9, Y1: 102.1}, {X0: 50, Y0: 104.8, X1: 80, Y1: 114.1}}},
		{"a wide gap makes two", "left right", func(b *pdftest.Builder) {
			b.Page(pdftest.Helvetica, "BT /F 10 Tf 50 700 Td (left) Tj 300 0 Td (right) Tj ET", "")
		}, []extract.Box{{X0: 50, Y0: 92.8, X1: 63.4, Y1: 102.1}, {X0: 350, Y0: 92.8, X1: 369.5, Y1: 102.1}}},
		{"written upwards", "up", func(b *pdftest.Builder) {
			b.Page(pdftest.Helvetica, "BT /F 10 Tf 0 1 -1 0 300 400 Tm (go up) Tj ET", "")
		}, []extract.Box{{X0: 292.5, Y0: 375, X1: 302.2, Y1: 386.1}}},
		{"a page turned", "turned", func(b *pdftest.Builder) {
			b.Page(pdftest.Helvetica, "BT /F 10 Tf 50 700 Td (page turned) Tj ET", "/Rotate 90")
		}, []extract.Box{{X0: 697.9, Y0: 75, X1: 707.2, Y1: 103.9}}},
		{"upside down", "down", func(b *pdftest.Builder) {
			b.Page(pdftest.Helvetica, "BT /F 10 Tf -1 0 0 -1 300 400 Tm (upside down) Tj ET", "")
		}, []extract.Box{{X0: 243.9, Y0: 397.9, X1: 267.8, Y1: 407.2}}},
		{"at 45 degrees", "b", func(b *pdftest.Builder) {
			b.Page(pdftest.Helvetica, "BT /F 20 Tf .70710678 .70710678 -.70710678 .70710678 300 400 Tm (ab) Tj ET", "")
		}, []extract.Box{{X0: 297.3, Y0: 373.7, X1: 318.9, Y1: 395.4}}},
		{"a ligature is whole", "f", func(b *pdftest.Builder) {
			b.Page("/Font<</F<</Type/Font/Subtype/Type1/BaseFont/X/FirstChar 65/LastChar 66/Widths[500 500]/Encoding<</Differences[65/f_f_i/n]>>>>>>", "BT /F 20 Tf 50 700 Td (BAB) Tj ET", "")
		}, []extract.Box{{X0: 60, Y0: 85, X1: 70, Y1: 104.4}}},
		{"replacement text", "real", func(b *pdftest.Builder) {
			b.Page(pdftest.Helvetica, "BT /F 10 Tf 50 700 Td (a ) Tj /Span <</ActualText(real text)>> BDC (MMMM) Tj EMC ( z) Tj ET", "")
		}, []extract.Box{{X0: 58.3, Y0: 92.5, X1: 91.7, Y1: 102.2}}},
		{"right to left, set from the left", "של", func(b *pdftest.Builder) {
			b.Page(fmt.Sprintf(fixed, b.Flate("", hebrewUnicode)), "BT /F 10 Tf 100 700 Td (DCBA) Tj ET", "")
		}, []extract.Box{{X0: 110, Y0: 92.5, X1: 120, Y1: 102.2}}},
		{"a line that ends in a tab", "x", func(b *pdftest.Builder) {
			tab := "1 begincodespacerange <00> <FF> endcodespacerange 2 beginbfchar <41> <0078> <42> <0009> endbfchar"
			b.Page(fmt.Sprintf(fixed, b.Flate("", tab)), "BT /F 10 Tf 100 700 Td (AB) Tj ET", "")
		}, []extract.Box{{X0: 100, Y0: 92.5, X1: 105, Y1: 102.2}}},
		{"the end of it", "ם", func(b *pdftest.Builder) {
			b.Page(fmt.Sprintf(fixed, b.Flate("", hebrewUnicode)), "BT /F 10 Tf 100 700 Td (DCBA) Tj ET", "")
		}, []extract.Box{{X0: 100, Y0: 92.5, X1: 105, Y1: 102.2}}},
		{"downwards", "語", func(b *pdftest.Builder) {
			b.Page("/Font<</F<</Type/Font/Subtype/Type0/BaseFont/Y/Encoding/UniJIS-UTF16-V/DescendantFonts[<</Type/Font/Subtype/CIDFontType0/BaseFont/Y/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>/DW 1000>>]>>>>",
				"BT /F 20 Tf 300 700 Td <65E5672C8A9E> Tj ET", "")
		}, []extract.Box{{X0: 290, Y0: 140, X1: 310, Y1: 160}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := pdftest.NewBuilder()
			tt.build(b)
			for _, plain := range []bool{false, true} {
				p := firstPage(t, b.Bytes(), &Options{Plain: plain})
				at := strings.LastIndex(p.Text, tt.find)
				if at < 0 {
					t.Fatalf("text %q holds no %q", p.Text, tt.find)
				}
				got := p.Locate(at, at+len(tt.find))
				if !near(got, tt.want, 1) {
					t.Errorf("Locate(%q) = %v, want %v within a point", tt.find, got, tt.want)
				}
			}
		})
	}
}

func near(got, want []extract.Box, by float64) bool {
	if len(got) != len(want) {
		return false
	}
	for i, g := range got {
		w := want[i]
		if math.Abs(g.X0-w.X0) > by || math.Abs(g.Y0-w.Y0) > by || math.Abs(g.X1-w.X1) > by || math.Abs(g.Y1-w.Y1) > by {
			return false
		}
	}
	return true
}

func firstPage(t testing.TB, data []byte, o *Options) *extract.Page {
	t.Helper()
	for p, err := range open(t, data, o).Pages(t.Context(), 1, 1) {
		if err != nil {
			t.Fatalf("Pages: %v", err)
		}
		return p
	}
	t.Fatal("no page")
	return nil
}

package pdf

import (
	"fmt"
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch/pdf/internal/pdftest"
	"github.com/google/go-cmp/cmp"
)

// hebrew is a simple font whose codes A to Z are the letters from alef on, 500 units each; digits, brackets and a to z are
// themselves, "_" is a vowel point of no width.
func hebrew(b *pdftest.Builder) string {
	u := b.Flate("", "1 begincodespacerange <00> <FF> endcodespacerange 5 beginbfrange <41> <5A> <05D0> <61> <7A> <0061> <30> <39> <0030> "+
		"<28> <29> <0028> <20> <20> <0020> endbfrange 1 beginbfchar <5F> <05B8> endbfchar")
	w := strings.Repeat("500 ", 63) + "0 " + strings.Repeat("500 ", 27)
	return fmt.Sprintf("/Font<</F<</Type/Font/Subtype/Type1/BaseFont/X/FirstChar 32/LastChar 122/Widths[%s]/ToUnicode %d 0 R>>>>", w, u)
}

func TestLayout(t *testing.T) {
	tests := []struct {
		name      string
		resources func(*pdftest.Builder) string
		content   string
		want      string
	}{
		{"accent before its letter", nil, "BT /F 10 Tf 50 700 Td (M)Tj 9.4 0 Td (\\250)Tj -1.1 0 Td (uller)Tj ET", "Müller\n"},
		{"accent after its letter", nil, "BT /F 10 Tf 50 700 Td (caf)Tj 13.3 0 Td (e)Tj 1 0 Td (\\264)Tj 4.6 0 Td (s)Tj ET", "cafés\n"},
		{"accent that nothing is under", nil, "BT /F 10 Tf 50 700 Td (a\\250b)Tj ET", "a¨b\n"},
		{"bold by drawing glyphs twice", nil, "BT /F 10 Tf 50 700 Td (B)Tj 0.3 0 Td (B)Tj 6.4 0 Td (o)Tj 0.3 0 Td (o)Tj ET", "Bo\n"},
		{"bold by drawing a line twice", nil, "BT /F 10 Tf 50 700 Td (Twice)Tj ET BT /F 10 Tf 50.4 700 Td (Twice)Tj ET BT /F 10 Tf 50 680 Td (Once)Tj ET", "Twice\nOnce\n"},
		{"double letters stay", nil, "BT /F 10 Tf 50 700 Td (ill)Tj ET", "ill\n"},
		{"tight setting is one word", nil, "BT /F 10 Tf 50 700 Td [(L)250(A)200(T)]TJ ET", "LAT\n"},
		{"a space of no width", nil, "BT /F 10 Tf 50 700 Td -2.78 Tw (wav es)Tj ET", "waves\n"},
		{"text outside of the clipping path", nil, "q 50 690 40 30 re W n BT /F 10 Tf 50 700 Td (in)Tj 60 0 Td (out)Tj ET Q BT /F 10 Tf 50 650 Td (on)Tj ET", "in\non\n"},
		{"letters set apart", nil, "BT /F 10 Tf 3 Tc 50 700 Td (TRENCH)Tj 70 0 Td (LETTER)Tj ET", "TRENCH LETTER\n"},
		{"single letters apart", nil, "BT /F 10 Tf 3 Tc 50 700 Td (ABC)Tj ET", "A B C\n"},
		{"spaces by kerning only", nil, "BT /F 10 Tf 50 700 Td [(one)-278(two)-300(three)]TJ ET", "one two three\n"},
		{"words split between text objects", nil, "BT /F 10 Tf 50 700 Td (sp)Tj ET BT /F 10 Tf 60.56 700 Td (lit)Tj ET", "split\n"},
		{"rotated text", nil, "BT /F 10 Tf 0 1 -1 0 100 100 Tm (up the)Tj 0 -12 Td (side)Tj ET", "up the\nside\n"},
		{"hebrew as it is seen", hebrew, "BT /F 10 Tf 50 700 Td (FED CBA)Tj ET", "אבג דהו\n"},
		{"hebrew as it is read", hebrew, "BT /F 10 Tf 100 700 Td (A)Tj -5 0 Td (B)Tj -5 0 Td (C)Tj -10 0 Td (D)Tj -5 0 Td (E)Tj ET", "אבג דה\n"},
		{"hebrew word by word from the right", hebrew, "BT /F 10 Tf 100 700 Td (CBA)Tj -20 0 Td (FED)Tj ET", "אבג דהו\n"},
		{"numbers and words within hebrew", hebrew, "BT /F 10 Tf 50 700 Td (DC 12 abc 2023 BA)Tj ET", "אב 12 abc 2023 גד\n"},
		{"hebrew within latin", hebrew, "BT /F 10 Tf 50 700 Td (abc CBA def)Tj ET", "abc אבג def\n"},
		{"brackets by their shape", hebrew, "BT /F 10 Tf 50 700 Td (\\(BA\\) C)Tj ET", "ג (אב)\n"},
		{"vowel points", hebrew, "BT /F 10 Tf 50 700 Td (B)Tj 7.5 0 Td (_)Tj -2.5 0 Td (A)Tj ET", "אָב\n"},
		{"chinese with gaps", han, "BT /F 10 Tf 50 700 Td [<4E2D>-300<6587>]TJ ET", "中文\n"},
		{"upright characters one under another", han, "BT /F 10 Tf 100 700 Td <4E2D>Tj 0 -10 Td <6587>Tj 0 -10 Td <4E2D>Tj -15 20 Td <6587>Tj 0 -10 Td <6587>Tj ET", "中文中\n文文\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := pdftest.NewBuilder()
			res := pdftest.Helvetica
			if tt.resources != nil {
				res = tt.resources(b)
			}
			b.Page(res, tt.content, "")
			if diff := cmp.Diff(tt.want, read(t, b.Bytes())[0].Text); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
}

// han is a font that is not embedded and whose codes are UTF-16.
func han(*pdftest.Builder) string {
	return "/Font<</F<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/UniGB-UCS2-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType0/BaseFont/X" +
		"/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 2>>>>]>>>>"
}

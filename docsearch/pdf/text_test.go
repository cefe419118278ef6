package pdf

import (
	"fmt"
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch/pdf/internal/pdftest"
	"github.com/google/go-cmp/cmp"
)

func TestText(t *testing.T) {
	tests := []struct {
		name  string
		build func(b *pdftest.Builder)
		want  string
	}{
		{"lines", func(b *pdftest.Builder) {
			b.Page(pdftest.Helvetica, "BT /F 12 Tf 14 TL 50 700 Td (First line) Tj T* (second-) Tj T* (line \\(three\\)) Tj ET", "")
		}, "First line\nsecond-\nline (three)\n"},
		{"gaps are spaces", func(b *pdftest.Builder) {
			b.Page(pdftest.Helvetica, "BT /F 12 Tf 50 700 Td [(ke)20(rn)-300(word)-30(s)] TJ ET", "")
		}, "kern words\n"},
		{"same baseline is one line", func(b *pdftest.Builder) {
			b.Page(pdftest.Helvetica, "BT /F 12 Tf 50 700 Td (left) Tj 300 0 Td (right) Tj ET", "")
		}, "left right\n"},
		{"columns in content order", func(b *pdftest.Builder) {
			b.Page(pdftest.Helvetica, "BT /F 10 Tf 12 TL 50 700 Td (a one) Tj T* (a two) Tj ET BT /F 10 Tf 12 TL 300 700 Td (b one) Tj T* (b two) Tj ET", "")
		}, "a one\na two\nb one\nb two\n"},
		{"superscript stays on its line", func(b *pdftest.Builder) {
			b.Page(pdftest.Helvetica, "BT /F 12 Tf 50 700 Td (mc) Tj /F 8 Tf 4 Ts (2) Tj 0 Ts /F 12 Tf ( end) Tj ET", "")
		}, "mc2 end\n"},
		{"overprinted bold once", func(b *pdftest.Builder) {
			b.Page(pdftest.Helvetica, "BT /F 12 Tf 1 0 0 1 50 700 Tm (B) Tj 1 0 0 1 50 700 Tm (B) Tj ET", "")
		}, "B\n"},
		{"differences and glyph names", func(b *pdftest.Builder) {
			b.Page("/Font<</F<</Type/Font/Subtype/Type1/BaseFont/X/FirstChar 0/LastChar 255/Widths["+strings.Repeat("500 ", 256)+
				"]/Encoding<</Differences[65/fi/uni03B2/u1D400/Aacute.alt/f_f_i 100/alpha]>>>>>>", "BT /F 12 Tf 50 700 Td (ABCDEd) Tj ET", "")
		}, "fiβ𝐀Áffiα\n"},
		{"standard encoding", func(b *pdftest.Builder) {
			b.Page("/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>>>", "BT /F 12 Tf 50 700 Td (`a' \\256\\257) Tj ET", "")
		}, "‘a’ fifl\n"},
		{"mac roman", func(b *pdftest.Builder) {
			b.Page("/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding/MacRomanEncoding>>>>", "BT /F 12 Tf 50 700 Td (\\212\\237) Tj ET", "")
		}, "äü\n"},
		{"symbol and dingbats", func(b *pdftest.Builder) {
			b.Page("/Font<</S<</Type/Font/Subtype/Type1/BaseFont/Symbol>>/Z<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats>>>>",
				"BT /S 12 Tf 50 700 Td (abW) Tj /Z 12 Tf (4l) Tj ET", "")
		}, "αβ\u2126✔●\n"},
		{"ToUnicode", func(b *pdftest.Builder) {
			u := b.Flate("", pdftest.ToUnicode)
			b.Page(fmt.Sprintf("/Font<</F<</Type/Font/Subtype/Type1/BaseFont/X/FirstChar 65/LastChar 71/Widths[500 500 500 500 500 500 500]/ToUnicode %d 0 R>>>>", u),
				"BT /F 12 Tf 50 700 Td (ABCDEFG) Tj ET", "")
		}, "ff𝐀αβγXY\n"},
		{"type 3", func(b *pdftest.Builder) {
			p := b.Stream("", "750 0 0 0 750 750 d1 0 0 750 750 re f")
			b.Page(fmt.Sprintf("/Font<</F<</Type/Font/Subtype/Type3/FontBBox[0 0 750 750]/FontMatrix[.001 0 0 .001 0 0]/CharProcs<</a97 %d 0 R/66 %d 0 R>>"+
				"/Encoding<</Differences[0/a97/66]>>/FirstChar 0/LastChar 1/Widths[750 750]>>>>", p, p), "BT /F 12 Tf 50 700 Td <0001> Tj ET", "")
		}, "aB\n"},
		{"identity with ToUnicode", func(b *pdftest.Builder) {
			u := b.Flate("", "1 begincodespacerange <0000> <FFFF> endcodespacerange 1 beginbfrange <0003> <0005> <0061> endbfrange")
			b.Page(fmt.Sprintf("/Font<</F<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/ToUnicode %d 0 R/DescendantFonts[<</Type/Font"+
				"/Subtype/CIDFontType2/BaseFont/X/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 500/W[3[600 600] 5 5 700]>>]>>>>", u),
				"BT /F 12 Tf 50 700 Td <000300040005> Tj ET", "")
		}, "abc\n"},
		{"identity through the font's cmap", func(b *pdftest.Builder) {
			ff := b.Flate("", string(pdftest.TinySFNT()))
			b.Page(fmt.Sprintf("/Font<</F<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/X"+
				"/CIDToGIDMap/Identity/FontDescriptor<</Type/FontDescriptor/FontName/X/Flags 4/FontFile2 %d 0 R>>>>]>>>>", ff),
				"BT /F 12 Tf 50 700 Td <00010002> Tj ET", "")
		}, "ΩЖ\n"},
		{"predefined CMap", func(b *pdftest.Builder) {
			b.Page("/Font<</F<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/90ms-RKSJ-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType0/BaseFont/X"+
				"/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>>>]>>>>", "BT /F 12 Tf 50 700 Td <93FA967B8CEA> Tj ET", "")
		}, "日本語\n"},
		{"Unicode CMap", func(b *pdftest.Builder) {
			b.Page("/Font<</F<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/UniGB-UCS2-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType0/BaseFont/X"+
				"/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 2>>>>]>>>>", "BT /F 12 Tf 50 700 Td <4E2D6587> Tj ET", "")
		}, "中文\n"},
		{"vertical writing", func(b *pdftest.Builder) {
			b.Page("/Font<</F<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/UniJIS-UCS2-V/DescendantFonts[<</Type/Font/Subtype/CIDFontType0/BaseFont/X"+
				"/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>>>]>>>>", "BT /F 12 Tf 300 700 Td <65E5672C> Tj ET", "")
		}, "日本\n"},
		{"form with its own resources", func(b *pdftest.Builder) {
			f := b.Flate("/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<<"+pdftest.Helvetica+">>", "BT /F 12 Tf 50 600 Td (inside) Tj ET")
			b.Page(pdftest.Helvetica+fmt.Sprintf("/XObject<</X %d 0 R>>", f), "BT /F 12 Tf 50 700 Td (before) Tj ET /X Do BT /F 12 Tf 50 500 Td (after) Tj ET", "")
		}, "before\ninside\nafter\n"},
		{"form that draws itself", func(b *pdftest.Builder) {
			f := b.Next
			b.Flate(fmt.Sprintf("/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<<%s/XObject<</X %d 0 R>>>>", pdftest.Helvetica, f), "BT /F 12 Tf 50 600 Td (once) Tj ET /X Do")
			b.Page(fmt.Sprintf("/XObject<</X %d 0 R>>", f), "/X Do", "")
		}, "once\n"},
		{"inline image", func(b *pdftest.Builder) {
			b.Page(pdftest.Helvetica, "BT /F 12 Tf 50 700 Td (a) Tj ET BI /W 4 /H 2 /BPC 8 /CS /G ID \x00EI \x01\x02 Q EI\nBT /F 12 Tf 50 600 Td (b) Tj ET", "")
		}, "a\nb\n"},
		{"ActualText", func(b *pdftest.Builder) {
			b.Page(pdftest.Helvetica, "BT /F 12 Tf 50 700 Td /Span<</ActualText<FEFF00E900740063>>>BDC (xyz) Tj EMC ( on) Tj ET", "")
		}, "étc on\n"},
		{"hidden text counts", func(b *pdftest.Builder) {
			b.Page(pdftest.Helvetica, "BT 3 Tr /F 12 Tf 50 700 Td (scanned) Tj ET", "")
		}, "scanned\n"},
		{"hidden layer does not", func(b *pdftest.Builder) {
			g := b.Add("<</Type/OCG/Name(draft)>>")
			b.Catalog = fmt.Sprintf("/OCProperties<</OCGs[%d 0 R]/D<</OFF[%d 0 R]>>>>", g, g)
			b.Page(pdftest.Helvetica+fmt.Sprintf("/Properties<</P %d 0 R>>", g), "/OC /P BDC BT /F 12 Tf 50 700 Td (draft) Tj ET EMC BT /F 12 Tf 50 600 Td (final) Tj ET", "")
		}, "final\n"},
		{"text outside the page does not", func(b *pdftest.Builder) {
			b.Page(pdftest.Helvetica, "BT /F 12 Tf 50 900 Td (crop marks) Tj ET BT /F 12 Tf 50 600 Td (body) Tj ET", "")
		}, "body\n"},
		{"rotated text and page", func(b *pdftest.Builder) {
			b.Page(pdftest.Helvetica, "BT /F 12 Tf 0 1 -1 0 100 100 Tm (up the ) Tj (side) Tj ET", "/Rotate 90")
		}, "up the side\n"},
		{"annotation and form field", func(b *pdftest.Builder) {
			ap := b.Flate("/Type/XObject/Subtype/Form/BBox[0 0 100 20]/Resources<<"+pdftest.Helvetica+">>", "BT /F 10 Tf 2 5 Td (note) Tj ET")
			b.Page(pdftest.Helvetica, "BT /F 12 Tf 50 700 Td (page) Tj ET", fmt.Sprintf("/Annots[<</Type/Annot/Subtype/Stamp/Rect[50 600 150 620]/AP<</N %d 0 R>>>>"+
				"<</Type/Annot/Subtype/Widget/FT/Tx/V(field value)/Rect[50 500 250 520]>><</Type/Annot/Subtype/Stamp/F 2/Rect[0 0 9 9]/AP<</N %d 0 R>>>>]", ap, ap))
		}, "page\nnote\nfield value\n"},
		{"right to left, set left to right", func(b *pdftest.Builder) {
			u := b.Flate("", "1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange <41> <5A> <05D0> endbfrange")
			b.Page(fmt.Sprintf("/Font<</F<</Type/Font/Subtype/Type1/BaseFont/X/FirstChar 65/LastChar 90/Widths["+strings.Repeat("500 ", 26)+"]/ToUnicode %d 0 R>>>>", u),
				"BT /F 12 Tf 50 700 Td (CBA) Tj ET", "")
		}, "אבג\n"},
		{"damaged stream gives what came before", func(b *pdftest.Builder) {
			b.Page(pdftest.Helvetica, "", "")
			c := b.Objs[3]
			_ = c
			good := "BT /F 12 Tf 50 700 Td (kept) Tj ET\n" + strings.Repeat("% padding to inflate\n", 400)
			var bb pdftest.Builder
			bb.Objs, bb.Next = map[int]string{}, 3
			n := bb.Flate("", good)
			body := bb.Objs[n]
			cut := strings.Index(body, "\nendstream") - 8
			b.Objs[3] = body[:cut] + "\xff\xff\xff\xff\xff\xff\xff\xff" + body[cut+8:]
		}, "kept\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := pdftest.NewBuilder()
			tt.build(b)
			got := read(t, b.Bytes())
			if len(got) != 1 {
				t.Fatalf("got %d pages, want 1", len(got))
			}
			if diff := cmp.Diff(tt.want, got[0].Text); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
}

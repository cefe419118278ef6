package pdf

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/findspot/findspot/docsearch/pdf/internal/budget"
	"github.com/findspot/findspot/docsearch/pdf/internal/pdftest"
	"github.com/findspot/findspot/docsearch/pdf/internal/table"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/need"
)

// A hostileFile is made to take all memory or time, or to be out of every bound.
type hostileFile struct {
	name string
	make func(scale int) []byte // scale: 1 for the test, more to measure by hand
}

// hostileFiles are written anew for every test.
var hostileFiles = []hostileFile{
	{"nested-flate", func(k int) []byte {
		b := pdftest.NewBuilder()
		for range k {
			inner := deflated(strings.Repeat("\n", 30<<20))
			c := b.Stream("/Filter[/FlateDecode/FlateDecode]", deflated(inner))
			b.Pages = append(b.Pages, b.Add(fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents %d 0 R>>", c)))
		}
		return b.Bytes()
	}},
	{"bomb-pages", func(k int) []byte {
		b := pdftest.NewBuilder()
		c := b.Flate("", strings.Repeat("q Q ", 1<<18*k))
		for range 60 {
			b.Pages = append(b.Pages, b.Add(fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents %d 0 R>>", c)))
		}
		return b.Bytes()
	}},
	{"bomb-glyph-pages", func(k int) []byte {
		b := pdftest.NewBuilder()
		c := b.Flate("", "BT /F 8 Tf 9 TL 10 790 Td "+strings.Repeat("("+strings.Repeat("word ", 20)+") ' ", 60*k)+" ET")
		for range 60 {
			b.Pages = append(b.Pages, b.Add(fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 -30000 600 800]/Resources<<%s>>/Contents %d 0 R>>", pdftest.Helvetica, c)))
		}
		return b.Bytes()
	}},
	{"void-forms", func(k int) []byte { // much work, no content
		b := pdftest.NewBuilder()
		x := b.Stream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Filter[/FlateDecode/ASCIIHexDecode]", deflated(strings.Repeat(" ", 8<<20)))
		b.Page(fmt.Sprintf("/XObject<</X %d 0 R>>", x), strings.Repeat("/X Do ", 20*k), "")
		return b.Bytes()
	}},
	{"form-self", func(k int) []byte {
		b := pdftest.NewBuilder()
		n := b.Next
		b.Flate(fmt.Sprintf("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X %d 0 R>>>>", n), strings.Repeat("/X Do ", 1000))
		b.Page(fmt.Sprintf("/XObject<</X %d 0 R>>", n), "/X Do", "")
		return b.Bytes()
	}},
	{"form-fan", func(k int) []byte { // 10^12 calls
		b := pdftest.NewBuilder()
		for range 12 {
			b.Flate(fmt.Sprintf("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X %d 0 R>>>>", b.Next+1), strings.Repeat("/X Do ", 10))
		}
		b.Flate("/Type/XObject/Subtype/Form/BBox[0 0 9 9]", "")
		b.Page("/XObject<</X 3 0 R>>", "/X Do", "")
		return b.Bytes()
	}},
	{"form-mutual", func(k int) []byte {
		b := pdftest.NewBuilder()
		n := b.Next
		for range 30 {
			var res strings.Builder
			for i := range 30 {
				fmt.Fprintf(&res, "/X%d %d 0 R", i, n+i)
			}
			var c strings.Builder
			for i := range 30 {
				fmt.Fprintf(&c, "/X%d Do ", i)
			}
			b.Flate("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<<"+res.String()+">>>>", c.String())
		}
		b.Page(fmt.Sprintf("/XObject<</X %d 0 R>>", n), "/X Do", "")
		return b.Bytes()
	}},
	{"deep-tree", func(k int) []byte {
		b := pdftest.ThreePages()
		kid := b.Pages[0]
		for range 5000 {
			kid = b.Add(fmt.Sprintf("<</Type/Pages/Count 1/Kids[%d 0 R]>>", kid))
		}
		b.Pages = append(b.Pages, kid)
		return b.Bytes()
	}},
	{"to-unicode-ranges", func(k int) []byte {
		var m strings.Builder
		m.WriteString("1 begincodespacerange <0000> <FFFF> endcodespacerange\n")
		for range 20_000 * k {
			m.WriteString("1 beginbfrange <0000> <FFFFFFFF> <0041> endbfrange\n")
		}
		return composite(m.String(), "", 1000)
	}},
	{"code-spaces", func(k int) []byte {
		return composite("", "1 begincodespacerange "+strings.Repeat("<AAAA> <AAAA> ", 50_000*k)+"endcodespacerange", 40_000)
	}},
	{"usecmap-cycle", func(k int) []byte { return composite("/90ms-RKSJ-H usecmap", "/V usecmap /H usecmap", 1000) }},
	{"wide-ranges", func(k int) []byte {
		return compositeWith("/W["+strings.Repeat("0 65535 500 ", 5000*k)+"]", "", "", 1000)
	}},
	{"cff-charset", func(k int) []byte {
		var cff bytes.Buffer
		cff.WriteString("\x01\x00\x04\x01")                                 // header
		cff.WriteString("\x00\x01\x01\x01\x02X")                            // names
		cff.WriteString("\x00\x01\x01\x01\x0B\x1D\x7F\xFF\xFF\xFF\x0F\x1D") // charset far away
		cff.WriteString("\x00\x00\x00\x20\x11")                             // char strings
		cff.WriteString("\xFF\xFF\x01\xFF\xFF\xFF\xFF")                     // strings
		cff.WriteString(strings.Repeat("\xFF", 200_000*k))
		return embedded("/FontFile3", "/Subtype/CIDFontType0C", cff.String())
	}},
	{"truetype-groups", func(k int) []byte {
		var t bytes.Buffer
		u := func(v ...uint32) {
			for _, v := range v {
				binary.Write(&t, binary.BigEndian, v)
			}
		}
		t.WriteString("\x00\x01\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00")
		t.WriteString("cmap")
		u(0, 44, 1<<31-1)
		t.WriteString("post")
		u(0, 44, 1<<31-1)
		t.WriteString("\x00\x00\x00\x40")
		for range 64 {
			t.WriteString("\x00\x03\x00\x0A")
			u(4 + 64*8)
		}
		t.WriteString("\x00\x0C\x00\x00")
		u(1<<31, 0, 1<<30)
		for range 10_000 * k {
			u(0, 1<<32-1, 0)
		}
		return embedded("/FontFile2", "", t.String())
	}},
	{"differences", func(k int) []byte {
		return pdftest.OnePage("/Font<</F<</Type/Font/Subtype/Type1/BaseFont/X/Encoding<</Differences[0 "+strings.Repeat("/a", 100_000*k)+"]>>>>>>", "BT /F 9 Tf 9 9 Td (abc) Tj ET")
	}},
	{"many-fonts", func(k int) []byte { // more than are kept
		var fonts, c strings.Builder
		c.WriteString("BT 9 9 Td ")
		b := pdftest.NewBuilder()
		u := b.Flate("", "1 beginbfrange "+strings.Repeat("<00> <FF> <0041> ", 1000)+" endbfrange")
		for i := range 5000 {
			n := b.Add(fmt.Sprintf("<</Type/Font/Subtype/Type1/BaseFont/X%d/ToUnicode %d 0 R>>", i, u))
			fmt.Fprintf(&fonts, "/F%d %d 0 R", i, n)
			fmt.Fprintf(&c, "/F%d 9 Tf (x) Tj ", i)
		}
		b.Page("/Font<<"+fonts.String()+">>", strings.Repeat(c.String(), k), "")
		return b.Bytes()
	}},
	{"annotations", func(k int) []byte {
		b := pdftest.NewBuilder()
		x := b.Flate("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<<"+pdftest.Helvetica+">>", "BT /F 9 Tf (note) Tj ET")
		var list strings.Builder
		for i := range 10_000 * k {
			n := b.Add(fmt.Sprintf("<</Subtype/Stamp/Rect[%d %d %d %d]/AP<</N %d 0 R>>>>", i%600, i%800, i%600+9, i%800+9, x))
			fmt.Fprintf(&list, "%d 0 R ", n)
		}
		b.Page(pdftest.Helvetica, "", "/Annots["+list.String()+"]")
		return b.Bytes()
	}},
	{"choices", func(k int) []byte { // fields that show a long list
		b := pdftest.NewBuilder()
		opt := b.Add("[" + strings.Repeat("("+strings.Repeat("x", 1000)+")", 500) + "]")
		var list strings.Builder
		for range 200 * k {
			n := b.Add(fmt.Sprintf("<</Subtype/Widget/FT/Ch/Rect[9 9 99 999]/Opt %d 0 R>>", opt))
			fmt.Fprintf(&list, "%d 0 R ", n)
		}
		b.Page(pdftest.Helvetica, "", "/Annots["+list.String()+"]")
		return b.Bytes()
	}},
	{"images", func(k int) []byte {
		b := pdftest.NewBuilder()
		x := b.Stream("/Type/XObject/Subtype/Image/Width 200/Height 200/BitsPerComponent 1/ColorSpace/DeviceGray", "")
		var c strings.Builder
		for i := range 10_000 * k {
			fmt.Fprintf(&c, "q 20 0 0 20 %d %d cm /X Do Q ", i*7%600, i*13%800)
		}
		b.Page(fmt.Sprintf("/XObject<</X %d 0 R>>", x), c.String(), "")
		return b.Bytes()
	}},
	{"table-paths", func(k int) []byte { return pdftest.OnePage(pdftest.Helvetica, cells(100*k)) }},
	{"crossing-rules", func(k int) []byte {
		var c strings.Builder
		for i := range 5000 * k {
			at := float64(i) * 600 / float64(5000*k)
			fmt.Fprintf(&c, "%.3f 0 m %.3f 800 l S 0 %.3f m 600 %.3f l S ", at, at, at*1.3, at*1.3)
		}
		return pdftest.OnePage(pdftest.Helvetica, c.String())
	}},
	{"random-rules", func(k int) []byte {
		r := rand.New(rand.NewPCG(1, 2))
		var c strings.Builder
		for range 20000 * k {
			x, y, n := r.Float64()*600, r.Float64()*800, r.Float64()*200
			if r.IntN(2) == 0 {
				fmt.Fprintf(&c, "%.3f %.3f m %.3f %.3f l S ", x, y, x+n, y)
			} else {
				fmt.Fprintf(&c, "%.3f %.3f m %.3f %.3f l S ", x, y, x, y+n)
			}
		}
		return pdftest.OnePage(pdftest.Helvetica, c.String())
	}},
	{"random-fills", func(k int) []byte {
		r := rand.New(rand.NewPCG(1, 2))
		var c strings.Builder
		for range 20000 * k {
			fmt.Fprintf(&c, "%.2f %.2f %.2f rg %.3f %.3f %.3f %.3f re f ", r.Float64(), r.Float64(), r.Float64(), r.Float64()*600, r.Float64()*800, r.Float64()*60, r.Float64()*60)
		}
		return pdftest.OnePage(pdftest.Helvetica, c.String())
	}},
	{"random-curves", func(k int) []byte {
		r := rand.New(rand.NewPCG(1, 2))
		var c strings.Builder
		for range 20000 * k {
			fmt.Fprintf(&c, "%.3f %.3f m %.3f %.3f l S ", r.Float64()*600, r.Float64()*800, r.Float64()*600, r.Float64()*800)
		}
		c.WriteString("BT /F 9 Tf 20 20 Td (Figure 1: All of them.) Tj ET")
		return pdftest.OnePage(pdftest.Helvetica, c.String())
	}},
	{"one-row", func(k int) []byte {
		return pdftest.OnePage(pdftest.Helvetica, "BT /F .001 Tf 10 400 Td ("+strings.Repeat("word and ", 3000*k)+") Tj ET")
	}},
	{"one-row-apart", func(k int) []byte { // a segment for each glyph
		return pdftest.OnePage(pdftest.Helvetica, "BT /F .001 Tf 10 400 Td "+strings.Repeat("(a) Tj .005 0 Td ", 30_000*k)+"ET")
	}},
	{"one-place", func(k int) []byte {
		return pdftest.OnePage(pdftest.Helvetica, strings.Repeat("BT /F 9 Tf 1 0 0 1 10 400 Tm (ab) Tj ET ", 15_000*k))
	}},
	{"random-glyphs", func(k int) []byte {
		r := rand.New(rand.NewPCG(1, 2))
		var c strings.Builder
		c.WriteString("BT /F 5 Tf ")
		for range 20_000 * k {
			fmt.Fprintf(&c, "1 0 0 1 %.2f %.2f Tm (%c) Tj ", r.Float64()*600, r.Float64()*800, 'a'+r.IntN(26))
		}
		return pdftest.OnePage(pdftest.Helvetica, c.String()+"ET")
	}},
	{"random-turned-glyphs", func(k int) []byte {
		r := rand.New(rand.NewPCG(1, 2))
		var c strings.Builder
		c.WriteString("BT /F 5 Tf ")
		for range 20_000 * k {
			a, b := r.Float64(), r.Float64()
			fmt.Fprintf(&c, "%.2f %.2f %.2f %.2f %.2f %.2f Tm (%c) Tj ", a, b, -b, a, r.Float64()*600, r.Float64()*800, 'a'+r.IntN(26))
		}
		return pdftest.OnePage(pdftest.Helvetica, c.String()+"ET")
	}},
	{"grid-glyphs", func(k int) []byte { // columns and rows without end
		var c strings.Builder
		c.WriteString("BT /F .5 Tf ")
		for i := range 20_000 * k {
			fmt.Fprintf(&c, "1 0 0 1 %.2f %.2f Tm (%d) Tj ", float64(i%200)*3, float64(i/200)*.7, i%10)
		}
		return pdftest.OnePage(pdftest.Helvetica, c.String()+"ET")
	}},
	{"captions", func(k int) []byte {
		var c strings.Builder
		c.WriteString("BT /F 1 Tf ")
		for i := range 1500 * k {
			fmt.Fprintf(&c, "1 0 0 1 %d %.2f Tm (Table %d: a b c) Tj 1 0 0 1 %d %.2f Tm (Figure %d. x) Tj ", i%5*100, float64(i)*.4, i, i%5*100+50, float64(i)*.4, i)
		}
		return pdftest.OnePage(pdftest.Helvetica, c.String()+"ET")
	}},
	{"right-to-left", func(k int) []byte {
		b := pdftest.NewBuilder()
		u := b.Flate("", "1 beginbfrange <00> <FF> <05D0> endbfrange")
		b.Page(fmt.Sprintf("/Font<</F<</Type/Font/Subtype/Type1/BaseFont/X/ToUnicode %d 0 R>>>>", u), "BT /F .01 Tf 590 400 Td "+strings.Repeat("(a) Tj -.04 0 Td ", 10_000*k)+"ET", "")
		return b.Bytes()
	}},
	{"marks", func(k int) []byte { // replacement texts within one another
		return pdftest.OnePage(pdftest.Helvetica, strings.Repeat("/S <</ActualText(a)>> BDC ", 4000)+"BT /F 1 Tf "+strings.Repeat("1 0 0 1 9 9 Tm (abcde) Tj 1 0 0 1 99 99 Tm (fg) Tj ", 4000*k)+strings.Repeat("EMC ", 4000)+"ET")
	}},
	{"layers", func(k int) []byte {
		b := pdftest.NewBuilder()
		g := b.Add("<</Type/OCG>>")
		m := b.Add("<</Type/OCMD/OCGs[" + strings.Repeat("1 0 R ", 50_000) + "]>>")
		b.Catalog = fmt.Sprintf("/OCProperties<</D<</OFF[%d 0 R]>>>>", g)
		b.Page(fmt.Sprintf("/Properties<</M %d 0 R>>", m), strings.Repeat("/OC /M BDC EMC ", 10_000*k), "")
		return b.Bytes()
	}},
	{"missing-names", func(k int) []byte {
		return pdftest.OnePage(pdftest.Helvetica, strings.Repeat("/Nope Do ", 300_000*k))
	}},
	{"outline", func(k int) []byte {
		b := pdftest.ThreePages()
		n := b.Next
		for i := range 30_000 * k {
			b.Add(fmt.Sprintf("<</Title(x)/Next %d 0 R/First %d 0 R/Dest[%d 0 R/Fit]>>", n+i+1, n+(i*7)%1000, b.Pages[0]))
		}
		b.Catalog = fmt.Sprintf("/Outlines<</First %d 0 R>>", n)
		return b.Bytes()
	}},
	{"outline-cycle", func(k int) []byte {
		b := pdftest.ThreePages()
		n := b.Add("")
		b.Objs[n] = fmt.Sprintf("<</Title(x)/First<</Title(y)/Next %d 0 R>>/Next %d 0 R>>", n, n)
		b.Catalog = fmt.Sprintf("/Outlines<</First %d 0 R>>/Names<</Dests %d 0 R>>", n, n)
		return b.Bytes()
	}},
	{"xmp-deep", func(k int) []byte {
		b := pdftest.ThreePages()
		n := b.Flate("/Type/Metadata/Subtype/XML", strings.Repeat("<li>", 500_000)+strings.Repeat("<creator>x", 40_000)+strings.Repeat("<li>y", 50_000))
		b.Catalog = fmt.Sprintf("/Metadata %d 0 R", n)
		return b.Bytes()
	}},
	{"xmp-creators", func(k int) []byte {
		b := pdftest.ThreePages()
		n := b.Flate("/Type/Metadata/Subtype/XML", "<creator>"+strings.Repeat("<li>"+strings.Repeat("y", 20)+"</li>", 100_000))
		b.Catalog = fmt.Sprintf("/Metadata %d 0 R", n)
		return b.Bytes()
	}},
	{"info", func(k int) []byte {
		b := pdftest.ThreePages()
		s := "(\xFE\xFF" + strings.Repeat("\x00\x1B\x00e\x00\x1B\x00x", 100_000*k) + ")"
		a := "(" + strings.Repeat("Jane Doe, John Roe; ", 50_000*k) + ")"
		n := b.Add("<</Title" + s + "/Author" + a + "/Subject" + a + "/CreationDate" + a + ">>")
		b.Trailer = fmt.Sprintf("/Info %d 0 R", n)
		return b.Bytes()
	}},
	{"prev-chain", func(k int) []byte {
		var b bytes.Buffer
		b.Write(pdftest.ThreePages().Bytes())
		prev := bytes.LastIndex(b.Bytes(), []byte("xref\n0 "))
		for range 6000 {
			at := b.Len()
			fmt.Fprintf(&b, "xref\n0 0\ntrailer\n<</Size 9/Root 1 0 R/Prev %d>>\n", prev)
			prev = at
		}
		fmt.Fprintf(&b, "startxref\n%d\n%%%%EOF\n", prev)
		return b.Bytes()
	}},
	{"object-streams", func(k int) []byte { return objectStreams(4, 100*k, 8<<20) }},
	{"broken-object", func(k int) []byte { // looked up again and again
		b := pdftest.NewBuilder()
		b.Page("/XObject<</X 9000 0 R>>", strings.Repeat("/X Do ", 20_000*k), "")
		n := b.Add("(" + strings.Repeat("x", 4<<20))
		b.Objs[b.Pages[0]] = strings.Replace(b.Objs[b.Pages[0]], "9000", fmt.Sprint(n), 1)
		return b.Bytes()
	}},
	{"image-bombs", func(k int) []byte {
		b := pdftest.NewBuilder()
		j := b.Stream("/Subtype/Image/Width 60000/Height 60000/BitsPerComponent 1/ColorSpace/DeviceGray/Filter/JBIG2Decode", "\x00\x00\x00\x00\x30\x00\x01\x00\x00\x00\x13\x7F\xFF\xFF\xFF\x7F\xFF\xFF\xFF\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00")
		c := b.Stream("/Subtype/Image/Width 60000/Height 60000/BitsPerComponent 1/ImageMask true/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns 60000/Rows 60000>>", strings.Repeat("\xFF", 1<<20))
		b.Page(fmt.Sprintf("/XObject<</J %d 0 R/C %d 0 R>>", j, c), "q 600 0 0 800 0 0 cm /J Do Q q 600 0 0 800 0 0 cm /C Do Q", "")
		return b.Bytes()
	}},
	{"inline-images", func(k int) []byte {
		return pdftest.OnePage(pdftest.Helvetica, strings.Repeat("BI /W 100 /H 100 /BPC 8 /CS /G ID xx\n", 20_000*k))
	}},
	{"open-tokens", func(k int) []byte {
		return pdftest.OnePage(pdftest.Helvetica, strings.Repeat("[(a<</b", 50_000*k)+strings.Repeat("((", 100_000*k))
	}},
	{"boxes", func(k int) []byte {
		b := pdftest.ThreePages()
		for i, m := range []string{"[0 0 1e30 1e30]", "[-1e30 -1e30 1e30 1e30]", "[0 0 -600 -800]", "[0 0 nan inf]", "[0 0 0 0]", "[1 2]", "[0 0 1e-9 1e-9]", "[99999999999999999999 0 1 1]"} {
			b.Page(pdftest.Helvetica, "BT /F 12 Tf 50 700 Td (text) Tj ET 0 0 m 9e9 9e9 l S 10 10 100 100 re f", fmt.Sprintf("/MediaBox %s/CropBox %s/Rotate %s", m, m, []string{"45", "1e30", "-90", "(x)", "null", "9999999999999", "89.9", "/N"}[i]))
			n := b.Pages[len(b.Pages)-1]
			b.Objs[n] = strings.Replace(b.Objs[n], "/MediaBox[0 0 600 800]", "", 1)
		}
		return b.Bytes()
	}},
	{"encrypted-garbage", func(k int) []byte {
		b := pdftest.ThreePages()
		b.Trailer = "/ID[(a)(b)]/Encrypt<</Filter/Standard/V 4/R 4/Length 99999/P 1e30/O(" + strings.Repeat("o", 100_000) + ")/U()/CF<</StdCF<</CFM/AESV9/Length -5>>>>/StmF/StdCF/StrF/Nope>>"
		return b.Bytes()
	}},
}

// composite is a page in a composite font with these maps.
func composite(toUnicode, encoding string, chars int) []byte {
	return compositeWith("", toUnicode, encoding, chars)
}

func compositeWith(descendant, toUnicode, encoding string, chars int) []byte {
	b := pdftest.NewBuilder()
	enc := "/Identity-H"
	if encoding != "" {
		enc = fmt.Sprintf("%d 0 R", b.Flate("/Type/CMap/UseCMap/H", encoding))
	}
	u := ""
	if toUnicode != "" {
		u = fmt.Sprintf("/ToUnicode %d 0 R", b.Flate("", toUnicode))
	}
	d := b.Add("<</Type/Font/Subtype/CIDFontType2/BaseFont/X" + descendant + ">>")
	f := b.Add(fmt.Sprintf("<</Type/Font/Subtype/Type0/BaseFont/X/Encoding %s%s/DescendantFonts[%d 0 R]>>", enc, u, d))
	b.Page(fmt.Sprintf("/Font<</F %d 0 R>>", f), "BT /F 1 Tf 9 9 Td ("+strings.Repeat("xy", chars)+") Tj ET", "")
	return b.Bytes()
}

// embedded is a page in fonts with a font program, each of which is asked.
func embedded(key, dict, program string) []byte {
	b := pdftest.NewBuilder()
	p := b.Flate(dict, program)
	var fonts, c strings.Builder
	c.WriteString("BT 9 9 Td ")
	for i := range 20 {
		fd := b.Add(fmt.Sprintf("<</Type/FontDescriptor/FontName/X/Flags 4%s %d 0 R>>", key, p))
		d := b.Add(fmt.Sprintf("<</Type/Font/Subtype/CIDFontType2/BaseFont/X/FontDescriptor %d 0 R>>", fd))
		f := b.Add(fmt.Sprintf("<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[%d 0 R]>>", d))
		s := b.Add(fmt.Sprintf("<</Type/Font/Subtype/TrueType/BaseFont/X/FontDescriptor %d 0 R>>", fd))
		fmt.Fprintf(&fonts, "/A%d %d 0 R/B%d %d 0 R", i, f, i, s)
		fmt.Fprintf(&c, "/A%d 9 Tf (xy) Tj /B%d 9 Tf (xy) Tj ", i, i)
	}
	b.Page("/Font<<"+fonts.String()+">>", c.String()+"ET", "")
	return b.Bytes()
}

// cells is an n by n table with a letter in each cell.
func cells(n int) string {
	var c strings.Builder
	w, h := 580/float64(n), 780/float64(n)
	for y := range n {
		for x := range n {
			fmt.Fprintf(&c, "%.3f %.3f %.3f %.3f re S BT /F %.3f Tf %.3f %.3f Td (%d) Tj ET ", 10+w*float64(x), 10+h*float64(y), w, h, w*.6, 10+w*(float64(x)+.3), 10+h*(float64(y)+.3), x%10)
		}
	}
	return c.String()
}

// objectStreams is a page whose annotations lie by turns in streams of a size each.
func objectStreams(streams, annots, size int) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	offs := map[int]int{}
	obj := func(n int, body string) {
		offs[n] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", n, body)
	}
	first := 10 + streams
	var list strings.Builder
	heads, bodies, counts := make([]strings.Builder, streams), make([]strings.Builder, streams), make([]int, streams)
	for i := range annots {
		s := i % streams
		fmt.Fprintf(&list, "%d 0 R ", first+i)
		fmt.Fprintf(&heads[s], "%d %d ", first+i, bodies[s].Len())
		fmt.Fprintf(&bodies[s], "<</Subtype/Text/Rect[0 0 9 9]/Pad(%s)>> ", strings.Repeat("p", 3000))
		counts[s]++
	}
	obj(1, "<</Type/Catalog/Pages 2 0 R>>")
	obj(2, "<</Type/Pages/Count 1/Kids[3 0 R]>>")
	obj(3, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Annots["+list.String()+"]>>")
	for s := range streams {
		data := heads[s].String() + bodies[s].String()
		data += strings.Repeat(" ", max(0, size-len(data)))
		z := deflated(data)
		obj(10+s, fmt.Sprintf("<</Type/ObjStm/N %d/First %d/Filter/FlateDecode/Length %d>>\nstream\n%s\nendstream", counts[s], heads[s].Len(), len(z), z))
	}
	var x bytes.Buffer
	n := first + annots + 1
	for i := range n {
		switch {
		case i >= first && i < first+annots:
			x.Write([]byte{2, 0, 0, byte((10 + (i-first)%streams) >> 8), byte(10 + (i-first)%streams), byte((i - first) / streams >> 8), byte((i - first) / streams)})
		case offs[i] > 0:
			o := offs[i]
			x.Write([]byte{1, byte(o >> 24), byte(o >> 16), byte(o >> 8), byte(o), 0, 0})
		default:
			x.Write([]byte{0, 0, 0, 0, 0, 0, 0})
		}
	}
	at := b.Len()
	fmt.Fprintf(&b, "%d 0 obj\n<</Type/XRef/Size %d/W[1 4 2]/Root 1 0 R/Length %d>>\nstream\n%s\nendstream\nendobj\nstartxref\n%d\n%%%%EOF\n", n, n, x.Len(), x.String(), at)
	return b.Bytes()
}

// TestHostileFiles reads them all. That it ends is what is tested; the deadline only says where it does not.
func TestHostileFiles(t *testing.T) {
	need.NoRace(t)
	for _, h := range hostileFiles {
		t.Run(h.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
			defer cancel()
			data := h.make(1)
			d, err := New(nil).Open(ctx, bytes.NewReader(data), int64(len(data)))
			if ctx.Err() != nil {
				t.Fatal(err)
			}
			if err != nil {
				if !errors.Is(err, errs.Format) && !errors.Is(err, errs.TooLarge) && !errors.Is(err, errs.Encrypted) {
					t.Errorf("Open: %v, want an error of a known kind", err)
				}
				return
			}
			for _, err := range d.Pages(ctx, 1, 0) {
				if ctx.Err() != nil {
					t.Fatal(err)
				}
				if err != nil && (!errors.Is(err, errs.Format) && !errors.Is(err, errs.TooLarge) || strings.Contains(err.Error(), "internal fault")) {
					t.Errorf("%v, want an error of a known kind", err)
				}
			}
		})
	}
}

// A call with nothing left to spend yields its pages at once, each with an error of which another call is free.
func TestBudget(t *testing.T) {
	data := pdftest.ThreePages().Bytes()
	x := New(nil).(*extractor)
	f, nodes, err := x.load(context.Background(), bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	d := &document{x: x, f: f, nodes: nodes}
	poor := f.With(context.Background())
	poor.Budget = budget.New(budget.CostFont + 10) // less than the first page takes
	for n := range nodes {
		p, err := d.page(context.Background(), poor, &nodes[n], n+1, &table.Ends{})
		if !errors.Is(err, errs.TooLarge) || p.Number != n+1 || p.Text != "" {
			t.Errorf("page %d: text %q, %v, want errs.TooLarge", n+1, p.Text, err)
		}
	}
	n := 0
	for _, err := range d.Pages(context.Background(), 1, 0) {
		if n++; err != nil {
			t.Error(err)
		}
	}
	if n != 3 {
		t.Errorf("%d pages, want 3", n)
	}
}

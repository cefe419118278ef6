package pdftest

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"sort"
	"strings"
)

// A Builder writes small PDFs for tests. Objects 1 and 2 are the catalog and the page tree.
type Builder struct {
	Objs    map[int]string
	Pages   []int
	Next    int
	Trailer string // added to the trailer dictionary
	Catalog string // added to the catalog
}

// NewBuilder returns a builder of a document without pages.
func NewBuilder() *Builder { return &Builder{Objs: map[int]string{}, Next: 3} }

// Add adds an object and returns its number.
func (b *Builder) Add(body string) int {
	n := b.Next
	b.Next++
	b.Objs[n] = body
	return n
}

// Stream adds a stream; dict is the inside of its dictionary.
func (b *Builder) Stream(dict, data string) int {
	return b.Add(fmt.Sprintf("<<%s/Length %d>>\nstream\n%s\nendstream", dict, len(data), data))
}

// Flate is Stream with compressed data.
func (b *Builder) Flate(dict, data string) int {
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	w.Write([]byte(data))
	w.Close()
	return b.Stream(dict+"/Filter/FlateDecode", z.String())
}

// Page adds a page; resources is the inside of its dictionary, extra more page entries.
func (b *Builder) Page(resources, content, extra string) {
	c := b.Flate("", content)
	n := b.Add(fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<<%s>>/Contents %d 0 R%s>>", resources, c, extra))
	b.Pages = append(b.Pages, n)
}

// Bytes is the file.
func (b *Builder) Bytes() []byte {
	var kids strings.Builder
	for _, p := range b.Pages {
		fmt.Fprintf(&kids, "%d 0 R ", p)
	}
	b.Objs[1] = "<</Type/Catalog/Pages 2 0 R" + b.Catalog + ">>"
	b.Objs[2] = fmt.Sprintf("<</Type/Pages/Count %d/Kids[%s]>>", len(b.Pages), kids.String())
	nums := make([]int, 0, len(b.Objs))
	for n := range b.Objs {
		nums = append(nums, n)
	}
	sort.Ints(nums)
	var out bytes.Buffer
	out.WriteString("%PDF-1.7\n%\xE2\xE3\xCF\xD3\n")
	offs := map[int]int{}
	for _, n := range nums {
		offs[n] = out.Len()
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", n, b.Objs[n])
	}
	xref := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n", b.Next)
	for n := 1; n < b.Next; n++ {
		fmt.Fprintf(&out, "%010d 00000 n \n", offs[n])
	}
	fmt.Fprintf(&out, "trailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n", b.Next, b.Trailer, xref)
	return out.Bytes()
}

// Helvetica is the inside of a resource dictionary with font F.
const Helvetica = "/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>>>"

// OnePage is a document of one page.
func OnePage(resources, content string) []byte {
	b := NewBuilder()
	b.Page(resources, content, "")
	return b.Bytes()
}

// ThreePages has pages one, two and three in objects 4, 6 and 8.
func ThreePages() *Builder {
	b := NewBuilder()
	for _, s := range []string{"one", "two", "three"} {
		b.Page(Helvetica, "BT /F 12 Tf 50 700 Td ("+s+") Tj ET", "")
	}
	return b
}

// DensePage is content like that of a page of running text, with kerning, and a table's rules.
func DensePage(lines int) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "BT /F 10 Tf 1 0 0 1 60 %d Tm [(Line %d of )-333(running)12(te)-4(xt)-250(with \\(escapes\\) )<77696468>(s)] TJ ET\n", 760-12*i, i)
		fmt.Fprintf(&b, "q 0.5 w 60 %d m 400 %d l S Q\n", 758-12*i, 758-12*i)
	}
	return b.String()
}

// ToUnicode is a CMap that gives codes their text: one, several characters, ranges.
const ToUnicode = `/CIDInit /ProcSet findresource begin begincmap
1 begincodespacerange <00> <FF> endcodespacerange
2 beginbfchar <41> <00660066> <42> <D835DC00> endbfchar
2 beginbfrange <43> <45> <03B1> <46> <47> [<0058> <0059>] endbfrange
endcmap end`

// TinySFNT is a TrueType file that has nothing but a cmap: glyph 1 is Ω, glyph 2 is Ж.
func TinySFNT() []byte {
	be := func(vs ...int) (b []byte) {
		for _, v := range vs {
			b = append(b, byte(v>>8), byte(v))
		}
		return b
	}
	sub := be(4, 40, 0, 6, 4, 1, 0, 0x03A9, 0x0416, 0xFFFF, 0, 0x03A9, 0x0416, 0xFFFF, 1-0x03A9, 2-0x0416, 1, 0, 0, 0)
	cm := append(be(0, 1, 3, 1, 0, 12), sub...)
	out := append([]byte{0, 1, 0, 0}, be(1, 16, 0, 0)...)
	out = append(out, "cmap"...)
	out = append(out, be(0, 0, 0, 28, 0, len(cm))...)
	return append(out, cm...)
}

// Gray adds an 8-bit gray image of one level and returns its number.
func (b *Builder) Gray(w, h int, level byte) int {
	return b.Flate(fmt.Sprintf("/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent 8/ColorSpace/DeviceGray", w, h), strings.Repeat(string([]byte{level}), w*h))
}

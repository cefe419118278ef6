package catalog

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/docsearch/pdf/internal/pdftest"
)

func reader(t *testing.T, data []byte) *cos.Reader {
	t.Helper()
	f, err := cos.Open(t.Context(), bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return cos.NewReader(t.Context(), f, nil)
}

// What a node of the page tree states goes down to its pages, and a page's own comes before it.
func TestPages(t *testing.T) {
	b := pdftest.NewBuilder()
	own := b.Add("<</Type/Page/Parent 5 0 R/MediaBox[0 0 50 60]/Rotate -90>>")
	heir := b.Add("<</Type/Page/Parent 5 0 R/CropBox[10 10 90 500]>>")
	node := b.Add(fmt.Sprintf("<</Type/Pages/Parent 2 0 R/Count 2/Kids[%d 0 R %d 0 R]/MediaBox[0 0 100 200]/Resources<</XObject<<>>>>>>", own, heir))
	b.Pages = []int{node, node} // named twice: it is read once
	pages, err := Pages(reader(t, b.Bytes()))
	if err != nil || len(pages) != 2 {
		t.Fatalf("%d pages, %v; want 2", len(pages), err)
	}
	var sizes [][2]float64
	for i := range pages {
		_, w, h := pages[i].ToPage()
		sizes = append(sizes, [2]float64{w, h})
		if pages[i].Resources["XObject"] == nil {
			t.Errorf("page %d has no resources", i+1)
		}
	}
	if d := cmp.Diff([][2]float64{{60, 50}, {80, 190}}, sizes); d != "" {
		t.Errorf("sizes as shown (-want +got):\n%s", d)
	}
	m, _, _ := pages[1].ToPage()
	if x, y := m.Apply(10, 200); x != 0 || y != 0 {
		t.Errorf("the upper left corner of what is shown is at %v, %v", x, y)
	}
}

func TestOutline(t *testing.T) {
	b := pdftest.ThreePages() // pages in objects 4, 6 and 8
	b.Catalog = "/Outlines 20 0 R/Names<</Dests<</Names[(there) [8 0 R/FitH 300]]>>>>"
	b.Objs[20] = "<</First 21 0 R>>"
	b.Objs[21] = "<</Title(One)/Dest[4 0 R/XYZ 0 700 0]/First 22 0 R/Next 23 0 R>>"
	b.Objs[22] = "<</Title(Within)/A<</S/GoTo/D[6 0 R/Fit]>>/Next 21 0 R>>" // a circle
	b.Objs[23] = "<</Title(There)/Dest(there)/Next 24 0 R>>"
	b.Objs[24] = "<</Title(Nowhere)/Dest[99 0 R/Fit]>>"
	b.Next = 25
	r := reader(t, b.Bytes())
	pages, err := Pages(r)
	if err != nil {
		t.Fatal(err)
	}
	marks, err := Outline(r, pages)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range marks {
		got = append(got, fmt.Sprintf("%d %s page %d, %v", m.Level, m.Title, m.Page, m.Y))
	}
	want := []string{"1 One page 1, 100", "2 Within page 2, NaN", "1 There page 3, 500"}
	if d := cmp.Diff(want, got); d != "" || !math.IsNaN(marks[1].Y) {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestLayers(t *testing.T) {
	b := pdftest.ThreePages()
	b.Catalog = "/OCProperties<</OCGs[30 0 R 31 0 R]/D<</BaseState/OFF/ON[31 0 R]>>>>"
	b.Objs[30], b.Objs[31] = "<</Type/OCG/Name(a)>>", "<</Type/OCG/Name(b)>>"
	b.Next = 32
	r := reader(t, b.Bytes())
	layers := ReadLayers(r)
	member := func(policy string) cos.Dict {
		return cos.Dict{"Type": cos.Name("OCMD"), "P": cos.Name(policy), "OCGs": cos.Array{cos.Ref{Num: 30}, cos.Ref{Num: 31}}}
	}
	for _, c := range []struct {
		o      cos.Object
		hidden bool
	}{
		{cos.Ref{Num: 30}, true}, {cos.Ref{Num: 31}, false},
		{member("AnyOn"), false}, {member("AllOn"), true}, {member("AnyOff"), false}, {member("AllOff"), true},
	} {
		if got := layers.Hidden(r, c.o); got != c.hidden {
			t.Errorf("%v: hidden %v, want %v", c.o, got, c.hidden)
		}
	}
}

package pdf

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf/internal/pdftest"
)

func xobjects(nrs ...int) string {
	var s strings.Builder
	s.WriteString(pdftest.Helvetica + "/XObject<<")
	for i, n := range nrs {
		fmt.Fprintf(&s, "/X%d %d 0 R", i, n)
	}
	s.WriteString(">>")
	return s.String()
}

// wave is a curve of n pieces from x, y on.
func wave(x, y float64, n int) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%g %g m ", x, y)
	for i := range n {
		x0 := x + float64(i)*10
		fmt.Fprintf(&s, "%g %g %g %g %g %g c ", x0+3, y+120*math.Mod(float64(i), 2), x0+6, y+60, x0+10, y+20*float64(i%5))
	}
	return s.String() + "S\n"
}

// sentences is a paragraph in lines of 60 characters.
func sentences(x, y float64, lines int) string {
	return fmt.Sprintf("BT /F 10 Tf 12 TL %g %g Td ", x, y) + strings.Repeat("(The procedure of the cell search is described in this clause of the text.) Tj T* ", lines) + "ET\n"
}

func TestFigures(t *testing.T) {
	tests := []struct {
		name  string
		build func(b *pdftest.Builder)
		want  []extract.Figure
	}{
		{"an image with a caption beneath", func(b *pdftest.Builder) {
			b.Page(xobjects(b.Gray(200, 150, 80)), "q 200 0 0 150 100 500 cm /X0 Do Q BT /F 10 Tf 100 480 Td (Figure 3: A gray area) Tj ET", "")
		}, []extract.Figure{{BBox: extract.Box{X0: 100, Y0: 150, X1: 300, Y1: 300}, WidthPX: 200, HeightPX: 150, Caption: "Figure 3: A gray area"}}},
		{"a caption farther than 100 points is not its own", func(b *pdftest.Builder) {
			b.Page(xobjects(b.Gray(200, 150, 80)), "q 200 0 0 150 100 500 cm /X0 Do Q BT /F 10 Tf 100 380 Td (Figure 3: A gray area) Tj ET", "")
		}, []extract.Figure{{BBox: extract.Box{X0: 100, Y0: 150, X1: 300, Y1: 300}, WidthPX: 200, HeightPX: 150}}},
		{"strips are one figure", func(b *pdftest.Builder) {
			n := b.Gray(300, 60, 80)
			var s strings.Builder
			for i := range 5 {
				fmt.Fprintf(&s, "q 150 0 0 30 100 %d cm /X0 Do Q ", 500+30*i)
			}
			b.Page(xobjects(n), s.String(), "")
		}, []extract.Figure{{BBox: extract.Box{X0: 100, Y0: 150, X1: 250, Y1: 300}, WidthPX: 300, HeightPX: 300}}},
		{"two images share a caption", func(b *pdftest.Builder) {
			b.Page(xobjects(b.Gray(200, 150, 80), b.Gray(150, 150, 90)),
				"q 100 0 0 75 100 500 cm /X0 Do Q q 75 0 0 75 230 500 cm /X1 Do Q BT /F 10 Tf 100 470 Td (Fig. 2. Left \\(a\\) and right \\(b\\)) Tj ET", "")
		}, []extract.Figure{
			{BBox: extract.Box{X0: 100, Y0: 225, X1: 200, Y1: 300}, WidthPX: 200, HeightPX: 150, Caption: "Fig. 2. Left (a) and right (b)"},
			{BBox: extract.Box{X0: 230, Y0: 225, X1: 305, Y1: 300}, WidthPX: 150, HeightPX: 150, Caption: "Fig. 2. Left (a) and right (b)"},
		}},
		{"small, outside or clipped away", func(b *pdftest.Builder) {
			b.Page(xobjects(b.Gray(200, 99, 80), b.Gray(200, 200, 80)),
				"q 200 0 0 150 100 500 cm /X0 Do Q q 200 0 0 200 900 500 cm /X1 Do Q q 0 0 10 10 re W n 200 0 0 200 200 200 cm /X1 Do Q", "")
		}, []extract.Figure{}},
		{"in a form, clipped", func(b *pdftest.Builder) {
			n := b.Gray(400, 400, 80)
			form := b.Stream(fmt.Sprintf("/Type/XObject/Subtype/Form/BBox[0 0 100 200]/Resources<</XObject<</I %d 0 R>>>>", n), "200 0 0 200 0 0 cm /I Do")
			b.Page(xobjects(form), "q 1 0 0 1 100 400 cm /X0 Do Q", "")
		}, []extract.Figure{{BBox: extract.Box{X0: 100, Y0: 200, X1: 200, Y1: 400}, WidthPX: 400, HeightPX: 400}}},
		{"inline", func(b *pdftest.Builder) {
			b.Page("", "q 120 0 0 100 100 500 cm BI /W 120 /H 100 /BPC 8 /CS /G /F /AHx ID "+strings.Repeat("80", 120*100)+"> EI Q", "")
		}, []extract.Figure{{BBox: extract.Box{X0: 100, Y0: 200, X1: 220, Y1: 300}, WidthPX: 120, HeightPX: 100}}},
		{"a drawing without a caption, with its labels", func(b *pdftest.Builder) {
			b.Page(pdftest.Helvetica, sentences(50, 700, 5)+wave(150, 450, 20)+"BT /F 8 Tf 230 438 Td (time in seconds) Tj ET BT /F 8 Tf 0 1 -1 0 140 470 Tm (level) Tj ET\n"+sentences(50, 300, 5), "")
		}, []extract.Figure{{BBox: extract.Box{X0: 134, Y0: 265, X1: 350, Y1: 363.8}}}},
		{"a caption's drawing leaves the head alone", func(b *pdftest.Builder) {
			b.Page(pdftest.Helvetica, "50 770 m 550 770 l S 200 500 m 300 600 l S 200 600 m 300 500 l S 200 500 100 100 re S "+
				"BT /F 10 Tf 200 470 Td (Figure 1 A cross) Tj ET\n"+sentences(50, 400, 5), "")
		}, []extract.Figure{{BBox: extract.Box{X0: 200, Y0: 200, X1: 300, Y1: 300}, Caption: "Figure 1 A cross"}}},
		{"a table beside it is no part", func(b *pdftest.Builder) {
			var s strings.Builder
			s.WriteString("60 600 220 120 re S 60 600 m 280 720 l S 60 720 m 280 600 l S BT /F 10 Tf 60 580 Td (Figure 1: A box at the left of the page) Tj ET\n")
			s.WriteString("BT /F 10 Tf 320 760 Td (Table 1: Numbers of things) Tj ET 320 750 m 540 750 l S 320 732 m 540 732 l S 320 660 m 540 660 l S\n")
			for i, row := range [][2]string{{"Name", "Count"}, {"apples", "3"}, {"pears", "14"}, {"plums", "159"}, {"figs", "26"}} {
				y := 737 - 15*i
				fmt.Fprintf(&s, "BT /F 10 Tf 330 %d Td (%s) Tj ET BT /F 10 Tf 480 %d Td (%s) Tj ET\n", y, row[0], y, row[1])
			}
			b.Page(pdftest.Helvetica, s.String()+sentences(50, 500, 8), "")
		}, []extract.Figure{{BBox: extract.Box{X0: 60, Y0: 80, X1: 280, Y1: 200}, Caption: "Figure 1: A box at the left of the page"}}},
		{"rules and boxes around text are none", func(b *pdftest.Builder) {
			b.Page(pdftest.Helvetica, sentences(50, 700, 5)+"40 640 520 80 re S 50 500 m 550 500 l S 50 495 m 550 495 l S\n"+sentences(50, 300, 5), "")
		}, []extract.Figure{}},
		{"a logo in the head of a page of text", func(b *pdftest.Builder) {
			b.Page(xobjects(b.Gray(200, 150, 80)), "q 40 0 0 30 50 750 cm /X0 Do Q "+sentences(50, 700, 20), "")
		}, []extract.Figure{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := pdftest.NewBuilder()
			tt.build(b)
			got := firstPage(t, b.Bytes(), nil).Figures
			for i := range got {
				if i < len(tt.want) && near([]extract.Box{got[i].BBox}, []extract.Box{tt.want[i].BBox}, 2) {
					got[i].BBox = tt.want[i].BBox
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Figures (-want +got):\n%s", diff)
			}
		})
	}
}

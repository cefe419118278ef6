package pdf

import (
	"fmt"
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch/pdf/internal/pdftest"
	"github.com/google/go-cmp/cmp"
)

func text(x, y float64, s string) string {
	return fmt.Sprintf("BT /F 10 Tf %g %g Td (%s) Tj ET\n", x, y, s)
}

func TestRuledTable(t *testing.T) {
	var c strings.Builder
	c.WriteString(text(100, 720, "Table 1: Things and their counts"))
	for i := range 4 {
		fmt.Fprintf(&c, "100 %d m 400 %d l S\n", 700-20*i, 700-20*i)
	}
	c.WriteString("100 640 m 100 700 l S 200 640 m 200 700 l S 300 640 m 300 680 l S 400 640 m 400 700 l S\n")
	c.WriteString(text(105, 685, "Name") + text(205, 685, "Counts of both"))
	c.WriteString(text(105, 665, "apples") + text(205, 665, "12") + text(305, 665, "13"))
	c.WriteString(text(105, 645, "pears") + text(205, 645, "7") + text(305, 645, "8"))
	p := read(t, pdftest.OnePage(pdftest.Helvetica, c.String()))[0]
	if len(p.Tables) != 1 {
		t.Fatalf("got %d tables, want 1", len(p.Tables))
	}
	tb := p.Tables[0]
	if diff := cmp.Diff([][]string{{"Name", "Counts of both", ""}, {"apples", "12", "13"}, {"pears", "7", "8"}}, tb.Rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if tb.Cells[1].ColSpan != 2 || tb.Caption != "Table 1: Things and their counts" {
		t.Errorf("cell %+v, caption %q", tb.Cells[1], tb.Caption)
	}
	if !strings.Contains(p.Markdown, "| apples | 12 | 13 |\n") {
		t.Errorf("Markdown has no table:\n%s", p.Markdown)
	}
}

func TestBooktabs(t *testing.T) {
	var c strings.Builder
	c.WriteString(text(100, 720, "Table 2: Results"))
	c.WriteString("100 710 m 400 710 l S 100 692 m 400 692 l S 100 640 m 400 640 l S\n")
	for i, r := range [][3]string{{"Method", "Precision", "Recall"}, {"ours", "0.91", "0.87"}, {"theirs", "0.83", "0.90"}, {"none", "0.10", "0.12"}} {
		y := 698 - float64(i)*16
		c.WriteString(text(105, y, r[0]) + text(220, y, r[1]) + text(330, y, r[2]))
	}
	p := read(t, pdftest.OnePage(pdftest.Helvetica, c.String()))[0]
	if len(p.Tables) != 1 {
		t.Fatalf("got %d tables, want 1", len(p.Tables))
	}
	want := [][]string{{"Method", "Precision", "Recall"}, {"ours", "0.91", "0.87"}, {"theirs", "0.83", "0.90"}, {"none", "0.10", "0.12"}}
	if diff := cmp.Diff(want, p.Tables[0].Rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

// Browsers draw the border of each cell by itself, and cut the ends of its upright sides at an angle.
func TestSeparateBorders(t *testing.T) {
	var c strings.Builder
	cells := [][]string{{"Thing", "Weight"}, {"stone", "12"}, {"leaf", "1"}, {"stick", "3"}}
	for i, r := range cells {
		for k, s := range r {
			x, y := 100+float64(k)*62, 700-float64(i)*19
			fmt.Fprintf(&c, "%g %g 60 .75 re f %g %g 60 .75 re f\n", x, y+16.25, x, y)
			fmt.Fprintf(&c, "%g %g m %g %g l %g %g l %g %g l f\n", x, y, x, y+17, x+.75, y+16.25, x+.75, y+.75)
			fmt.Fprintf(&c, "%g %g m %g %g l %g %g l %g %g l f\n", x+60, y, x+60, y+17, x+59.25, y+16.25, x+59.25, y+.75)
			c.WriteString(text(x+3, y+4, s))
		}
	}
	p := read(t, pdftest.OnePage(pdftest.Helvetica, c.String()))[0]
	if len(p.Tables) != 1 || len(p.Figures) != 0 {
		t.Fatalf("got %d tables and %d figures, want 1 and 0", len(p.Tables), len(p.Figures))
	}
	if diff := cmp.Diff(cells, p.Tables[0].Rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}

func TestProseIsNoTable(t *testing.T) {
	var c strings.Builder
	c.WriteString("100 750 m 500 750 l S 100 50 m 500 50 l S\n")
	for i := range 40 {
		y := 730 - float64(i)*14
		c.WriteString(text(60, y, "The quick brown fox jumps over the lazy dog and") + text(320, y, "then it rests a while beside the quiet river so"))
	}
	if p := read(t, pdftest.OnePage(pdftest.Helvetica, c.String()))[0]; len(p.Tables) != 0 {
		t.Errorf("got %d tables in two columns of prose, want none: %q", len(p.Tables), p.Tables[0].Rows)
	}
}

func TestFigure(t *testing.T) {
	b := pdftest.NewBuilder()
	im := b.Stream("/Type/XObject/Subtype/Image/Width 320/Height 200/BitsPerComponent 8/ColorSpace/DeviceGray", "x")
	small := b.Stream("/Type/XObject/Subtype/Image/Width 20/Height 20/BitsPerComponent 8/ColorSpace/DeviceGray", "x")
	b.Page(pdftest.Helvetica+fmt.Sprintf("/XObject<</I %d 0 R/J %d 0 R>>", im, small),
		"q 200 0 0 100 100 500 cm /I Do Q q 10 0 0 10 50 50 cm /J Do Q\n"+text(100, 470, "Figure 3: A picture of")+text(100, 458, "two lines")+text(100, 400, "Body."), "")
	p := read(t, b.Bytes())[0]
	if len(p.Figures) != 1 {
		t.Fatalf("got %d figures, want 1", len(p.Figures))
	}
	f := p.Figures[0]
	if f.WidthPX != 320 || f.HeightPX != 200 || f.BBox.X0 != 100 || f.BBox.Y0 != 200 || f.BBox.X1 != 300 || f.BBox.Y1 != 300 || f.Caption != "Figure 3: A picture of two lines" {
		t.Errorf("figure %+v", f)
	}
}

func TestMarkdown(t *testing.T) {
	res := "/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>/B<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold>>/M<</Type/Font/Subtype/Type1/BaseFont/Courier>>>>"
	c := "BT /B 20 Tf 50 700 Td (The Title) Tj /B 10 Tf 0 -40 Td (1.2 Second Level) Tj /F 10 Tf 0 -20 Td (A paragraph that is div-) Tj 0 -12 Td (ided and goes on.) Tj " +
		"0 -30 Td (Another one.) Tj /M 10 Tf 0 -30 Td (x = f\\(y\\)) Tj ET"
	got := read(t, pdftest.OnePage(res, c))[0].Markdown
	want := "# The Title\n\n### 1.2 Second Level\n\nA paragraph that is divided and goes on.\n\nAnother one.\n\n```\nx = f(y)\n```\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Markdown (-want +got):\n%s", diff)
	}
}

package content

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch/pdf/internal/catalog"
	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
	"github.com/findspot/findspot/docsearch/pdf/internal/pdftest"
)

// canvas runs the content of a page of 600 by 800 points.
func canvas(t *testing.T, resources, data string) *Canvas {
	t.Helper()
	file := pdftest.OnePage(resources, data)
	f, err := cos.Open(t.Context(), bytes.NewReader(file), int64(len(file)), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := NewSource(cos.NewReader(t.Context(), f, nil))
	pages, err := catalog.Pages(s.Reader)
	if err != nil {
		t.Fatal(err)
	}
	var mem Memory
	if fault, err := Run(t.Context(), s, &pages[0], &mem); fault != nil || err != nil {
		t.Fatal(fault, err)
	}
	return &mem.Canvas
}

func TestText(t *testing.T) {
	c := canvas(t, pdftest.Helvetica, "BT /F 10 Tf 2 0 0 2 100 700 Tm [(A)-500(b)] TJ 0 -20 Td (c) Tj ET BT /F 10 Tf 3 Tr (unseen) Tj ET")
	var text strings.Builder
	for i := range c.Glyphs {
		text.WriteString(c.Glyphs[i].Text)
	}
	if text.String() != "Abcunseen" {
		t.Fatalf("text %q", text.String())
	}
	a, b, third := &c.Glyphs[0], &c.Glyphs[1], &c.Glyphs[2]
	if a.X != 100 || a.Y != 100 || a.Size != 20 || math.Abs(b.Gap(a)-10) > 1e-6 {
		t.Errorf("A at %v, %v of size %v, and a gap of %v to b; want 100, 100, 20 and 10", a.X, a.Y, a.Size, b.Gap(a))
	}
	if third.X != 100 || third.Y != 140 || !a.Begins || b.Begins {
		t.Errorf("c at %v, %v, 40 below A", third.X, third.Y)
	}
}

func TestPaths(t *testing.T) {
	c := canvas(t, "", "q 1 0 0 RG 1 w 50 100 m 250 100 l S Q 0 1 0 rg 100 300 80 40 re f 10 10 m 60 60 l S q 0 0 5 5 re W n 300 400 m 500 400 l S Q")
	if len(c.Rules) == 0 || c.Rules[0] != (Rule{Pos: 700, Lo: 50, Hi: 250}) {
		t.Errorf("rules %+v", c.Rules)
	}
	for _, r := range c.Rules {
		if !r.Vertical && r.Pos == 400 {
			t.Error("a stroke outside of the clip is there")
		}
	}
	if d := cmp.Diff([]Fill{{Box: geometry.NewRect(100, 460, 180, 500), Color: [3]float64{0, 1, 0}, Over: c.Fills[0].Over}}, c.Fills); d != "" {
		t.Errorf("fills (-want +got):\n%s", d)
	}
	if len(c.Diagonals) != 1 || c.Diagonals[0] != geometry.NewRect(10, 740, 60, 790) {
		t.Errorf("oblique strokes %v", c.Diagonals)
	}
}

// An inline image ends at its own EI, not at one among its data.
func TestInlineImage(t *testing.T) {
	c := canvas(t, pdftest.Helvetica, "q 30 0 0 20 100 200 cm BI /W 3 /H 2 /BPC 8 /CS /G ID ab EI\x01 EI Q BT /F 10 Tf (on) Tj ET")
	if len(c.Images) != 1 || c.Images[0].Box != geometry.NewRect(100, 580, 130, 600) || len(c.Glyphs) != 2 {
		t.Errorf("%d images %+v, %d glyphs", len(c.Images), c.Images, len(c.Glyphs))
	}
}

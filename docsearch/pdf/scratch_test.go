package pdf

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf/internal/layout"
	"github.com/findspot/findspot/docsearch/pdf/internal/pdftest"
)

// TestMemoryReused reads pages of very different sizes, one after the other and all over again, in memory that they share: each
// reads as it does in a document of its own.
func TestMemoryReused(t *testing.T) {
	contents := []string{
		pdftest.DensePage(60), "", "BT /F 12 Tf 50 700 Td (short) Tj ET", pdftest.DensePage(3),
		"BT /F 12 Tf 50 700 Td (Table 1: numbers) Tj ET " + pdftest.DensePage(8), "0 0 m 10 10 l 20 0 l S",
	}
	b := pdftest.NewBuilder()
	var want []*extract.Page
	for i, c := range contents {
		b.Page(pdftest.Helvetica, c, "")
		p := firstPage(t, pdftest.OnePage(pdftest.Helvetica, c), &Options{Plain: true})
		p.Number = i + 1
		want = append(want, p)
	}
	x := New(&Options{Plain: true})
	data := b.Bytes()
	for range 3 {
		d, err := x.Open(t.Context(), strings.NewReader(string(data)), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		i := 0
		for p, err := range d.Pages(t.Context(), 1, 0) {
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(p, want[i]) {
				t.Errorf("page %d reads %q, alone %q", i+1, p.Text, want[i].Text)
			}
			i++
		}
		d.Close()
	}
}

// BenchmarkInterpreter runs the content of a page, BenchmarkLayout makes lines of what it put on the canvas.
func BenchmarkInterpreter(b *testing.B) {
	d := open(b, pdftest.OnePage(pdftest.Helvetica, pdftest.DensePage(60)), nil).(*document)
	mem := new(scratch)
	b.ReportAllocs()
	for b.Loop() {
		mem.content.Canvas.Glyphs, mem.content.Canvas.Rules = mem.content.Canvas.Glyphs[:0], mem.content.Canvas.Rules[:0]
		if c := readContent(context.Background(), d.f, &d.nodes[0], mem); c.err != nil {
			b.Fatal(c.err)
		}
	}
}

func BenchmarkLayout(b *testing.B) {
	d := open(b, pdftest.OnePage(pdftest.Helvetica, pdftest.DensePage(60)), nil).(*document)
	mem := new(scratch)
	if c := readContent(context.Background(), d.f, &d.nodes[0], mem); c.err != nil {
		b.Fatal(c.err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if lines := layout.Lines(layout.Segments(mem.content.Canvas.Glyphs, &mem.layout), &mem.layout); len(lines) != 60 {
			b.Fatalf("%d lines", len(lines))
		}
	}
}

package extract_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/memstore"
)

// grid is a page of which every character is 10 points wide and high, line by line.
func grid(n int, text string) *extract.Page {
	p := &extract.Page{Number: n, Width: 500, Height: 500, Text: text, Glyphs: extract.NewGlyphs(500, 500)}
	x, y := 0.0, 0.0
	for i, r := range text {
		if r == '\n' {
			p.Glyphs.Break(i)
			x, y = 0, y+10
			continue
		}
		if r != ' ' {
			p.Glyphs.Add(i, extract.Box{X0: x, Y0: y, X1: x + 10, Y1: y + 10})
		}
		x += 10
	}
	return p
}

type grids []string

func (g grids) Version() string                                               { return "grids" }
func (g grids) Open(context.Context, io.ReaderAt, int64) (extract.Doc, error) { return g, nil }
func (g grids) Meta() extract.Meta                                            { return extract.Meta{Pages: len(g)} }
func (g grids) Close() error                                                  { return nil }
func (g grids) Pages(_ context.Context, first, last int) iter.Seq2[*extract.Page, error] {
	return func(yield func(*extract.Page, error) bool) {
		for n := first; n <= len(g) && (last == 0 || n <= last); n++ {
			if !yield(grid(n, g[n-1]), nil) {
				return
			}
		}
	}
}

func box(x0, y0, x1, y1 float64) extract.Box { return extract.Box{X0: x0, Y0: y0, X1: x1, Y1: y1} }

// rounded allows for the steps that boxes are kept in.
func rounded(ps []extract.Place) []extract.Place {
	for i := range ps {
		for k := range ps[i].Boxes {
			b := &ps[i].Boxes[k]
			for _, v := range []*float64{&b.X0, &b.Y0, &b.X1, &b.Y1} {
				*v = float64(int(*v + .5))
			}
		}
	}
	return ps
}

func TestPageFind(t *testing.T) {
	p := grid(3, "The cell detec-\ntion of a Cell\ncell search\n")
	for _, tt := range []struct {
		phrase string
		want   []extract.Place
	}{
		{"CELL DETECTION", []extract.Place{{Page: 3, Line: 1, Start: 4, End: 20, Text: "cell detec-\ntion", Boxes: []extract.Box{box(40, 0, 150, 10), box(0, 10, 40, 20)}}}},
		{"cell search", []extract.Place{{Page: 3, Line: 3, Start: 31, End: 42, Text: "cell search", Boxes: []extract.Box{box(0, 20, 110, 30)}}}},
		{"a cell cell", []extract.Place{{Page: 3, Line: 2, Start: 24, End: 35, Text: "a Cell\ncell", Boxes: []extract.Box{box(80, 10, 140, 20), box(0, 20, 40, 30)}}}},
		{"absent", []extract.Place{}},
	} {
		got, err := p.Find(tt.phrase)
		if err != nil {
			t.Fatalf("Find(%q): %v", tt.phrase, err)
		}
		if diff := cmp.Diff(tt.want, rounded(got)); diff != "" {
			t.Errorf("Find(%q) (-want +got):\n%s", tt.phrase, diff)
		}
	}
	if _, err := p.Find("--"); !errors.Is(err, docsearch.ErrUnsupported) {
		t.Errorf("Find(--) = %v, want %v", err, docsearch.ErrUnsupported)
	}
	for _, r := range [][2]int{{-5, 0}, {3, 3}, {9, 2}, {3, 4}, {1000, 2000}} {
		if got := p.Locate(r[0], r[1]); got != nil {
			t.Errorf("Locate(%d, %d) = %v, want nil", r[0], r[1], got)
		}
	}
	if got := (&extract.Page{Text: "x"}).Locate(0, 1); got != nil {
		t.Errorf("Locate without glyphs = %v, want nil", got)
	}
}

func TestLibraryLocate(t *testing.T) {
	ctx := t.Context()
	src := grids{"first page\n", "second page goes\n", "third\n"}
	lib, err := docsearch.New(memstore.New(), &docsearch.Options{Extractors: map[string]extract.Extractor{".grid": src}})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	doc, err := lib.Add(ctx, docsearch.Bytes("a.grid", []byte("x")))
	if err != nil {
		t.Fatal(err)
	}
	res, err := lib.Search(ctx, "goes third", nil)
	if err != nil || len(res.Hits) != 1 {
		t.Fatalf("Search = %+v, %v", res, err)
	}
	m := res.Hits[0].Passages[0]
	got, err := lib.Locate(ctx, doc.ID, m.Start, m.End, src)
	if err != nil {
		t.Fatal(err)
	}
	want := []extract.Place{
		{Page: 2, Line: 2, Start: 12, End: 17, Text: "goes\n", Boxes: []extract.Box{box(120, 0, 160, 10)}},
		{Page: 3, Line: 3, Start: 0, End: 5, Text: "third", Boxes: []extract.Box{box(0, 0, 50, 10)}},
	}
	if diff := cmp.Diff(want, rounded(got)); diff != "" {
		t.Errorf("Locate (-want +got):\n%s", diff)
	}
	if _, err := lib.Locate(ctx, doc.ID, m.Start, m.End, grids{"first page\n", "second page changed\n", "third\n"}); !errors.Is(err, docsearch.ErrStale) {
		t.Errorf("Locate in another document = %v, want %v", err, docsearch.ErrStale)
	}
}

func FuzzLocate(f *testing.F) {
	f.Add("a b\nc", 1, 3, []byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, text string, from, to int, offs []byte) {
		p := &extract.Page{Text: text, Glyphs: extract.NewGlyphs(100, 100)}
		for i, o := range bytes.Clone(offs) {
			if o%5 == 0 {
				p.Glyphs.Break(int(o))
				continue
			}
			p.Glyphs.Add(int(o), box(float64(i), 0, float64(i)+float64(o), 10))
		}
		for _, b := range p.Locate(from, to) {
			if b.X1 < b.X0 || b.Y1 < b.Y0 || b.X0 < 0 || b.X1 > 100.01 {
				t.Errorf("Locate(%d, %d) gives the box %v", from, to, b)
			}
		}
	})
}

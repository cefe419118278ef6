package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf/internal/pdftest"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/need"
)

func TestMeta(t *testing.T) {
	big := "BT /F 24 Tf 50 700 Td (A Title in) Tj 0 -28 Td (Two Lines) Tj /F 10 Tf 0 -40 Td (Body text of the page.) Tj ET"
	tests := []struct {
		name, info string
		want       extract.Meta
	}{
		{"information", "<</Title<FEFF00DC006200650072>/Author(A. One; B. Two)/Subject(s)/Keywords(k)/CreationDate(D:20240131120000+01'00')/Producer(p)>>",
			extract.Meta{Title: "Über", Authors: []string{"A. One", "B. Two"}, Subject: "s", Keywords: "k", Date: "2024-01-31T12:00:00+01:00", Producer: "p", Pages: 1}},
		{"a title that says nothing", "<</Title(Microsoft Word - paper.doc)>>", extract.Meta{Title: "A Title in Two Lines", Authors: []string{}, Pages: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := pdftest.NewBuilder()
			b.Trailer = fmt.Sprintf("/Info %d 0 R", b.Add(tt.info))
			b.Page(pdftest.Helvetica, big, "")
			if diff := cmp.Diff(tt.want, open(t, b.Bytes(), nil).Meta()); diff != "" {
				t.Errorf("Meta (-want +got):\n%s", diff)
			}
		})
	}
}

func TestXMP(t *testing.T) {
	b := pdftest.NewBuilder()
	x := b.Stream("/Type/Metadata/Subtype/XML", `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">From XMP</rdf:li></rdf:Alt></dc:title><dc:creator><rdf:Seq><rdf:li>One</rdf:li><rdf:li>Two</rdf:li></rdf:Seq></dc:creator></rdf:Description></rdf:RDF></x:xmpmeta>`)
	b.Catalog = fmt.Sprintf("/Metadata %d 0 R", x)
	b.Page(pdftest.Helvetica, "", "")
	m := open(t, b.Bytes(), nil).Meta()
	if m.Title != "From XMP" || !cmp.Equal(m.Authors, []string{"One", "Two"}) {
		t.Errorf("Meta = %+v, want the title and authors of the XMP packet", m)
	}
}

func TestOpenErrors(t *testing.T) {
	good := pdftest.OnePage(pdftest.Helvetica, "BT /F 12 Tf 50 700 Td (x) Tj ET")
	tests := []struct {
		name string
		data []byte
		o    *Options
		want error
	}{
		{"empty", nil, nil, errs.Format},
		{"not a PDF", []byte(strings.Repeat("no such thing\n", 100)), nil, errs.Format},
		{"cut in the header", good[:12], nil, errs.Format},
		{"too large", good, &Options{MaxFile: 10}, errs.TooLarge},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := New(tt.o).Open(context.Background(), bytes.NewReader(tt.data), int64(len(tt.data)))
			if !errors.Is(err, tt.want) {
				t.Errorf("Open = %v, want %v", err, tt.want)
			}
			if tt.name == "not a PDF" && !strings.Contains(err.Error(), "not a PDF") {
				t.Errorf("Open = %v, want it said in words", err)
			}
		})
	}
}

func TestRebuild(t *testing.T) {
	data := pdftest.OnePage(pdftest.Helvetica, "BT /F 12 Tf 50 700 Td (salvaged) Tj ET")
	i := bytes.Index(data, []byte("xref\n0 "))
	for name, bad := range map[string][]byte{
		"cut before the table": data[:i],
		"wrong offsets":        bytes.ReplaceAll(data, []byte(" 00000 n "), []byte(" 00099 n ")),
	} {
		t.Run(name, func(t *testing.T) {
			if got := read(t, bad)[0].Text; got != "salvaged\n" {
				t.Errorf("text = %q, want %q", got, "salvaged\n")
			}
		})
	}
}

func manyPagesPDF(n int) []byte {
	b := pdftest.NewBuilder()
	for i := range n {
		b.Page(pdftest.Helvetica, fmt.Sprintf("BT /F 12 Tf 50 700 Td (page number %d) Tj ET", i+1), "")
	}
	return b.Bytes()
}

func TestParallel(t *testing.T) {
	data := manyPagesPDF(123)
	d := open(t, data, &Options{Workers: 4})
	n := 0
	for p, err := range d.Pages(context.Background(), 1, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; p.Number != n || p.Text != fmt.Sprintf("page number %d\n", n) {
			t.Fatalf("page %d: number %d, text %q", n, p.Number, p.Text)
		}
	}
	if n != 123 {
		t.Errorf("got %d pages, want 123", n)
	}
	n = 0
	for range d.Pages(context.Background(), 10, 100) { // breaking releases everything; the document can be read again
		if n++; n == 7 {
			break
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var last error
	for _, err := range d.Pages(ctx, 1, 0) {
		cancel()
		last = err
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("after cancelling, the last error is %v, want context.Canceled", last)
	}
}

func TestBadPageGoesOn(t *testing.T) {
	b := pdftest.NewBuilder()
	b.Page(pdftest.Helvetica, "BT /F 12 Tf 50 700 Td (one) Tj ET", "")
	n := b.Stream("/Filter/FlateDecode", "this is no deflate data")
	b.Pages = append(b.Pages, b.Add(fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents %d 0 R>>", n)))
	b.Page(pdftest.Helvetica, "BT /F 12 Tf 50 700 Td (three) Tj ET", "")
	var got []string
	for p, err := range open(t, b.Bytes(), nil).Pages(context.Background(), 0, 0) {
		s := fmt.Sprintf("%d %q", p.Number, p.Text)
		if err != nil {
			s += " error"
			if !errors.Is(err, errs.Format) || !strings.Contains(err.Error(), "page 2") {
				t.Errorf("error %v, want one of format that names page 2", err)
			}
		}
		got = append(got, s)
	}
	if diff := cmp.Diff([]string{`1 "one\n"`, `2 "" error`, `3 "three\n"`}, got); diff != "" {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
}

// Every file of the shared corpus opens or fails, in bounded time, and pages come in order.
func TestCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("reads many files")
	}
	files, err := filepath.Glob(filepath.Join(need.Shared(t, "pdf", "corpus"), "*.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	x := New(&Options{Workers: 2})
	for i, p := range files {
		if i%4 != 0 {
			continue
		}
		t.Run(filepath.Base(p), func(t *testing.T) {
			data, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			defer cancel()
			d, err := x.Open(ctx, bytes.NewReader(data), int64(len(data)))
			if err != nil {
				if errors.Is(err, context.DeadlineExceeded) {
					t.Error(err)
				}
				return
			}
			defer d.Close()
			n := 0
			for p, err := range d.Pages(ctx, 1, 12) {
				if n++; p == nil || p.Number != n {
					t.Fatalf("page %d: %v, %v", n, p, err)
				}
				if err != nil && strings.Contains(err.Error(), "internal fault") {
					t.Errorf("panic: %v", err)
				}
			}
		})
	}
}

package pdf

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/pdf/internal/pdftest"
	"github.com/findspot/findspot/internal/errs"
)

func FuzzContent(f *testing.F) {
	f.Add([]byte("BT /F 12 Tf 50 700 Td (x) Tj ET q 1 0 0 1 5 5 cm 0 0 100 50 re S Q"))
	for _, data := range pdftest.ReadSeeds(f, "testdata/quality").Contents {
		f.Add(data)
	}
	f.Add([]byte("BI /W 4 /H 2 ID xxxx EI 10 10 m 90 90 l 5 5 5 5 5 5 c b* /Span<</ActualText(a)>>BDC EMC"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		d := open(t, pdftest.OnePage(pdftest.Helvetica, string(data)), nil)
		for p, err := range d.Pages(context.Background(), 1, 1) {
			if err != nil && strings.Contains(err.Error(), "internal fault") {
				t.Fatal(err)
			}
			if p != nil && !utf8.ValidString(p.Text) {
				t.Fatalf("text is not UTF-8: %q", p.Text)
			}
		}
	})
}

func FuzzFile(f *testing.F) {
	f.Add(pdftest.OnePage(pdftest.Helvetica, "BT /F 12 Tf 50 700 Td (x) Tj ET"))
	f.Add(manyPagesPDF(2))
	for _, data := range pdftest.ReadSeeds(f, "testdata/quality").Files {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		d, err := New(&Options{Workers: 1}).Open(ctx, bytes.NewReader(data), int64(len(data)))
		if err != nil {
			if errors.Is(err, context.DeadlineExceeded) {
				t.Fatal(err)
			}
			return
		}
		defer d.Close()
		for p, err := range d.Pages(ctx, 1, 3) {
			if err != nil && (errors.Is(err, context.DeadlineExceeded) || strings.Contains(err.Error(), "internal fault") && !errors.Is(err, errs.TooLarge)) {
				t.Fatal(err)
			}
			_ = p
		}
	})
}

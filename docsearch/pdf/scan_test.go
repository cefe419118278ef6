package pdf_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/findspot/findspot/docsearch/pdf"
	"github.com/findspot/findspot/docsearch/pdf/tesseract"
	"github.com/findspot/findspot/internal/need"
)

// TestQualityOfScan reads the page that has no text through the adapter, and compares it with what was printed on it.
func TestQualityOfScan(t *testing.T) {
	need.Tool(t, "tesseract", "--version")
	engine, err := tesseract.Open(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("testdata/quality/scan.pdf")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("testdata/quality/ocr.txt")
	if err != nil {
		t.Fatal(err)
	}
	printed, err := parseTruth(string(text))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := pdf.New(&pdf.Options{OCR: engine}).Open(t.Context(), bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	defer doc.Close()
	got := ""
	for p, err := range doc.Pages(t.Context(), 1, 0) {
		if err != nil {
			t.Fatal(err)
		}
		got += p.Text
	}
	if s := similarity(tokens(printed.pages[0]), tokens(got)); s < .97 {
		t.Errorf("similarity %.4f, want .97 or more; read:\n%s", s, got)
	}
}

package pdf

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf/internal/pdftest"
	"github.com/findspot/findspot/docsearch/pdf/tesseract"
	"github.com/findspot/findspot/internal/need"
)

// The scan of testdata/scan and its place on the pages made of it.
const (
	scanW, scanH = 700, 544
	scanX, scanY = 10.0, 20.0 // lower left corner
	scanPtW      = scanW * 72.0 / 200
	scanPtH      = scanH * 72.0 / 200
)

func scanData(t testing.TB) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "scan", "column.g4"))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// scanPage adds a page with an image on it that leaves a small margin.
func scanPage(b *pdftest.Builder, dict, data string) {
	n := b.Stream(fmt.Sprintf("/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent 1/ColorSpace/DeviceGray", scanW, scanH)+dict, data)
	b.Page(xobjects(n), fmt.Sprintf("q %g 0 0 %g %g %g cm /X0 Do Q", scanPtW, scanPtH, scanX, scanY),
		fmt.Sprintf("/CropBox[0 0 %g %g]", scanPtW+20, scanPtH+40))
}

func faxPage(t testing.TB, b *pdftest.Builder) {
	scanPage(b, fmt.Sprintf("/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns %d>>", scanW), scanData(t))
}

// scans are pages with the same scan in different wrappings.
func scans(t testing.TB) map[string]func(b *pdftest.Builder) {
	return map[string]func(b *pdftest.Builder){
		"fax": func(b *pdftest.Builder) { faxPage(t, b) },
		"JBIG2": func(b *pdftest.Builder) {
			seg := func(n, kind byte, data []byte) []byte {
				return append(binary.BigEndian.AppendUint32([]byte{0, 0, 0, n, kind, 0, 1}, uint32(len(data))), data...)
			}
			size := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, scanW), scanH)
			page := seg(0, 48, append(bytes.Clone(size), make([]byte, 11)...))
			region := append(append(append(bytes.Clone(size), make([]byte, 9)...), 1), scanData(t)...)
			scanPage(b, "/Filter/JBIG2Decode", string(append(page, seg(1, 38, region)...)))
		},
		"JPEG in strips": func(b *pdftest.Builder) {
			img := decodedScan(t)
			var s strings.Builder
			var nrs []int
			const strip = scanH / 4
			for i := range 4 {
				part := img.(interface {
					SubImage(image.Rectangle) image.Image
				}).SubImage(image.Rect(0, i*strip, scanW, (i+1)*strip))
				nrs = append(nrs, b.Stream(fmt.Sprintf("/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/DCTDecode", scanW, strip), jpegData(t, part)))
				fmt.Fprintf(&s, "q %g 0 0 %g %g %g cm /X%d Do Q ", scanPtW, scanPtH/4, scanX, scanY+scanPtH*float64(3-i)/4, i)
			}
			b.Page(xobjects(nrs...), s.String(), fmt.Sprintf("/CropBox[0 0 %g %g]", scanPtW+20, scanPtH+40))
		},
		"turned, on a turned page": func(b *pdftest.Builder) { // stored a quarter to the left, and shown a quarter to the right
			img := decodedScan(t)
			var rows strings.Builder
			for y := range scanW {
				for x := range scanH {
					r, _, _, _ := img.At(scanW-1-y, x).RGBA()
					rows.WriteByte(byte(r >> 8))
				}
			}
			n := b.Flate(fmt.Sprintf("/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent 8/ColorSpace/DeviceGray", scanH, scanW), rows.String())
			b.Page(xobjects(n), fmt.Sprintf("q %g 0 0 %g %g %g cm /X0 Do Q", scanPtH, scanPtW, 20.0, 10.0),
				fmt.Sprintf("/Rotate 90/CropBox[0 0 %g %g]", scanPtH+40, scanPtW+20))
		},
	}
}

func decodedScan(t testing.TB) image.Image {
	t.Helper()
	b := pdftest.NewBuilder()
	faxPage(t, b)
	got, err := open(t, b.Bytes(), nil).(extract.Imager).Image(t.Context(), 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	img, _, err := image.Decode(bytes.NewReader(got.Data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// TestTesseract reads the same scan in all wrappings with the real program.
func TestTesseract(t *testing.T) {
	need.Tool(t, "tesseract", "--version")
	ocr, err := tesseract.Open(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, build := range scans(t) {
		t.Run(name, func(t *testing.T) {
			b := pdftest.NewBuilder()
			build(b)
			p := firstPage(t, b.Bytes(), &Options{OCR: ocr})
			if !p.OCR || p.NoText {
				t.Errorf("OCR %v, NoText %v, want true, false", p.OCR, p.NoText)
			}
			for _, want := range []string{"Abstract\n", "A terminal that has just been switched on knows nei-\n", "a base station repeats, by default, every 20 ms. This\n"} {
				if !strings.Contains(p.Text, want) {
					t.Errorf("text lacks %q:\n%s", want, p.Text)
				}
			}
			if !strings.Contains(p.Markdown, "knows neither the time") {
				t.Errorf("Markdown is not re-flowed:\n%s", p.Markdown)
			}
			// Where pdftotext -bbox has the word in the document that was scanned, less the cut.
			places, err := p.Find("terminal")
			if err != nil || len(places) != 1 || len(places[0].Boxes) != 1 {
				t.Fatalf("Find = %+v, %v", places, err)
			}
			want := extract.Box{X0: 25.7, Y0: 61.8, X1: 62.3, Y1: 70.6}
			if !near(places[0].Boxes, []extract.Box{want}, 2) {
				t.Errorf("box of a word = %v, want %v", places[0].Boxes[0], want)
			}
		})
	}
}

// A fakeOCR notes the pictures it gets and reads the same words in all of them.
type fakeOCR struct {
	got []extract.Image
	err error
}

func (f *fakeOCR) Name() string { return "fake-1" }

func (f *fakeOCR) Read(_ context.Context, img *extract.Image) (*extract.OCRText, error) {
	f.got = append(f.got, *img)
	if f.err != nil {
		return nil, f.err
	}
	word := func(s string, x float64) extract.OCRWord {
		return extract.OCRWord{Text: s, Box: extract.Box{X0: x, Y0: 100, X1: x + 100, Y1: 120}}
	}
	return &extract.OCRText{Lines: []extract.OCRLine{
		{Begin: true, Words: []extract.OCRWord{word("read", 0), word("from a\x1bpic-", 200)}},
		{Words: []extract.OCRWord{word("ture", 0)}},
		{Begin: true, Words: []extract.OCRWord{{Text: "end"}, {Text: " \n"}}},
	}}, nil
}

func TestOCR(t *testing.T) {
	b := pdftest.NewBuilder()
	faxPage(t, b)
	f := &fakeOCR{}
	p := firstPage(t, b.Bytes(), &Options{OCR: f})
	if diff := cmp.Diff("read from apic-\nture\nend\n", p.Text); diff != "" {
		t.Errorf("Text (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff("read from apicture\n\nend\n", p.Markdown); diff != "" {
		t.Errorf("Markdown (-want +got):\n%s", diff)
	}
	if len(f.got) != 1 || f.got[0].Width != scanW || f.got[0].Height != scanH || f.got[0].Format != "png" {
		t.Errorf("pictures %+v, want the scan as it is", f.got)
	}
	want := []extract.Box{{X0: 10 + 72, Y0: 20 + 36, X1: 10 + 108, Y1: 20 + 43.2}}
	if got := p.Locate(5, 9); !near(got, want, .2) {
		t.Errorf("Locate = %v, want %v", got, want)
	}
}

func TestOCROfWhat(t *testing.T) {
	text := sentences(50, 700, 5)
	figure := func(b *pdftest.Builder) {
		b.Page(xobjects(b.Gray(200, 150, 80)), text+"q 200 0 0 150 100 400 cm /X0 Do Q", "")
	}
	stamped := func(b *pdftest.Builder) {
		b.Page(xobjects(b.Gray(1000, 1000, 80)), "q 600 0 0 800 0 0 cm /X0 Do Q BT /F 8 Tf 20 20 Td (received 1999) Tj ET", "")
	}
	for _, tt := range []struct {
		name   string
		build  func(b *pdftest.Builder)
		o      Options
		calls  int
		noText bool
		ocr    bool
	}{
		{"a scan", func(b *pdftest.Builder) { faxPage(t, b) }, Options{}, 1, false, true},
		{"a scan, text only", func(b *pdftest.Builder) { faxPage(t, b) }, Options{Plain: true}, 1, false, true},
		{"a scan with a stamp", stamped, Options{}, 1, false, true},
		{"a page with a figure", figure, Options{}, 0, false, false},
		{"a page with a figure, asked for", figure, Options{OCRFigures: true}, 1, false, false},
		{"nothing", func(b *pdftest.Builder) { b.Page("", "", "") }, Options{}, 0, false, false},
		{"a drawing", func(b *pdftest.Builder) { b.Page("", wave(100, 400, 20), "") }, Options{}, 0, true, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := pdftest.NewBuilder()
			tt.build(b)
			f := &fakeOCR{}
			tt.o.OCR = f
			p := firstPage(t, b.Bytes(), &tt.o)
			if len(f.got) != tt.calls || p.NoText != tt.noText || p.OCR != tt.ocr {
				t.Errorf("%d calls, NoText %v, OCR %v, want %d, %v, %v", len(f.got), p.NoText, p.OCR, tt.calls, tt.noText, tt.ocr)
			}
			if tt.o.OCRFigures && (len(p.Figures) != 1 || !strings.HasPrefix(p.Figures[0].OCR, "read from")) {
				t.Errorf("figures %+v, want what was read in them", p.Figures)
			}
		})
	}
	b := pdftest.NewBuilder()
	faxPage(t, b)
	if p := firstPage(t, b.Bytes(), nil); !p.NoText || p.Text != "" {
		t.Errorf("without OCR: NoText %v, text %q, want a page that says that it has none", p.NoText, p.Text)
	}
	if got, want := New(&Options{OCR: &fakeOCR{}, OCRFigures: true}).Version(), New(nil).Version()+"+fake-1-figures"; got != want {
		t.Errorf("Version = %q, want %q", got, want)
	}
}

func TestOCRFails(t *testing.T) {
	b := pdftest.NewBuilder()
	faxPage(t, b)
	cause := errors.New("out of ink")
	for p, err := range open(t, b.Bytes(), &Options{OCR: &fakeOCR{err: cause}}).Pages(t.Context(), 1, 0) {
		if !errors.Is(err, cause) || p == nil || len(p.Figures) != 1 {
			t.Errorf("page %+v, %v, want the page and the cause", p, err)
		}
	}
}

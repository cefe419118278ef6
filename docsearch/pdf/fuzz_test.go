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

func FuzzCMap(f *testing.F) {
	f.Add([]byte(pdftest.ToUnicode), []byte("ABC"))
	for _, data := range readSeeds(f).cmaps {
		f.Add(data, []byte("ABC"))
	}
	f.Add([]byte("/90ms-RKSJ-H usecmap 1 begincidrange <8140> <FFFF> 5 endcidrange"), []byte("\x93\xfa\x96"))
	f.Fuzz(func(t *testing.T, data, s []byte) {
		m := parseCMap(data, predefinedCMap)
		for len(s) > 0 {
			c, n := m.next(s)
			if n < 1 || n > len(s) {
				t.Fatalf("next took %d of %d bytes", n, len(s))
			}
			m.unicode(c)
			m.cid(c)
			s = s[n:]
		}
	})
}

func FuzzFonts(f *testing.F) {
	f.Add(pdftest.TinySFNT())
	for _, data := range readSeeds(f).fonts {
		f.Add(data)
	}
	f.Add([]byte{1, 0, 4, 1, 0, 1, 1, 1, 2, 'a'})
	f.Add([]byte("%!PS-AdobeFont /Encoding 256 array dup 65 /A put currentdict end eexec"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if tt := parseSFNT(data); tt != nil {
			tt.simple()
			tt.text(1)
		}
		if c := parseCFF(data); c != nil {
			c.builtin()
		}
		type1Encoding(data)
	})
}

// FuzzGuess looks for a font that is named wrongly enough to break the guesses about it: they may be wrong, but the text is
// valid and has no control characters.
func FuzzGuess(f *testing.F) {
	f.Add("G4B", "g0061", "a11", uint16(500), uint16(556), false)
	f.Add("uniondisplay", "a_b.c", "uni", uint16(0), uint16(1000), true)
	f.Fuzz(func(t *testing.T, a, b, c string, w1, w2 uint16, type3 bool) {
		var names encoding
		var widths [256]float64
		ft := &font{}
		var all [256]bool
		for i := range 256 {
			names[i] = []string{a, b, c}[i%3]
			widths[i] = float64([]uint16{w1, w2}[i&1])
			ft.codes[i].width = widths[i]
			all[i] = true
		}
		nums, _ := nameNumbers(&names)
		for _, s := range guessSimple(ft, &nums, &all, &all) {
			if !utf8.ValidString(s) {
				t.Fatalf("text is not UTF-8: %q", s)
			}
		}
		texEncoding(&widths)
		guessOrder(func(n int) float64 { return widths[n&255] })
		for _, n := range names[:3] {
			if s := glyphText(n); !utf8.ValidString(s) {
				t.Fatalf("glyphText(%q) is not UTF-8: %q", n, s)
			}
		}
	})
}

// FuzzSegments sets characters at odd places: all of them come out, but for those that are drawn twice and the marks that go
// on letters.
func FuzzSegments(f *testing.F) {
	f.Add("abc def", []byte{0, 0, 5, 0, 5, 0, 9, 0, 5, 0}, false)
	f.Add("אבג (12.5) abc", []byte{251, 0, 251, 0, 251, 0, 246, 0, 251, 1}, false)
	f.Add("中文́´e", []byte{0, 10, 0, 10, 1, 1, 0, 0}, true)
	f.Fuzz(func(t *testing.T, text string, steps []byte, turned bool) {
		if len(text) > 4096 || !utf8.ValidString(text) {
			return
		}
		var gs []glyph
		x, y := 300.0, 400.0
		dx, dy := 1.0, 0.0
		if turned {
			dx, dy = 0, -1
		}
		i := 0
		for _, r := range text {
			if r < 0x20 {
				continue
			}
			gs = append(gs, glyph{text: string(r), x: x, y: y, ex: x + 5*dx, ey: y + 5*dy, dx: dx, dy: dy, size: 10, field: i > 40})
			if len(steps) > 1 {
				x += float64(int8(steps[i*2%(len(steps)-1)]))
				y += float64(int8(steps[(i*2+1)%len(steps)]))
			}
			i++
		}
		var m layoutMemory
		segs := layoutSegments(gs, &m)
		for i := range segs {
			if len(segs[i].glyphs) == 0 {
				t.Fatal("a segment without glyphs")
			}
		}
		if out := rawText(layoutLines(segs, &m)); !utf8.ValidString(out) {
			t.Fatalf("text is not UTF-8: %q", out)
		}
	})
}

func FuzzContent(f *testing.F) {
	f.Add([]byte("BT /F 12 Tf 50 700 Td (x) Tj ET q 1 0 0 1 5 5 cm 0 0 100 50 re S Q"))
	for _, data := range readSeeds(f).contents {
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
	for _, data := range readSeeds(f).files {
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

package font

import (
	"testing"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/pdf/internal/encoding"
	"github.com/findspot/findspot/docsearch/pdf/internal/pdftest"
)

// TestTables checks that the embedded tables were read whole.
func TestTables(t *testing.T) {
	for _, f := range texFonts() {
		if encoding.All()[f.enc] == nil || len(f.widths) < 96 {
			t.Errorf("TeX font with encoding %q has %d advances", f.enc, len(f.widths))
		}
	}
	for _, core := range []string{"Helvetica", "Times-BoldItalic", "Symbol", "ZapfDingbats"} {
		if n := len(coreWidths()[core]); n < 180 {
			t.Errorf("%s has %d advances", core, n)
		}
	}
	if got := CoreWidth("Helvetica-BoldOblique", "A"); got != 722 {
		t.Errorf("advance of A in Helvetica-BoldOblique = %v, want 722", got)
	}
}

func FuzzCMap(f *testing.F) {
	f.Add([]byte(pdftest.ToUnicode), []byte("ABC"))
	for _, data := range pdftest.ReadSeeds(f, "../../testdata/quality").CMaps {
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
	for _, data := range pdftest.ReadSeeds(f, "../../testdata/quality").Fonts {
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
		var names encoding.Encoding
		var widths [256]float64
		ft := &Font{}
		var all [256]bool
		for i := range 256 {
			names[i] = []string{a, b, c}[i%3]
			widths[i] = float64([]uint16{w1, w2}[i&1])
			ft.codes[i].Width = widths[i]
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
			if s := encoding.GlyphText(n); !utf8.ValidString(s) {
				t.Fatalf("glyphText(%q) is not UTF-8: %q", n, s)
			}
		}
	})
}

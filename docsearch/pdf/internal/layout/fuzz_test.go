package layout

import (
	"testing"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/pdf/internal/content"
)

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
		var gs []content.Glyph
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
			gs = append(gs, content.Glyph{Text: string(r), X: x, Y: y, EndX: x + 5*dx, EndY: y + 5*dy, Dx: dx, Dy: dy, Size: 10, Field: i > 40})
			if len(steps) > 1 {
				x += float64(int8(steps[i*2%(len(steps)-1)]))
				y += float64(int8(steps[(i*2+1)%len(steps)]))
			}
			i++
		}
		var m Memory
		segs := Segments(gs, &m)
		for i := range segs {
			if len(segs[i].Glyphs) == 0 {
				t.Fatal("a segment without glyphs")
			}
		}
		if out := Text(Lines(segs, &m)); !utf8.ValidString(out) {
			t.Fatalf("text is not UTF-8: %q", out)
		}
	})
}

package inline

import (
	"testing"

	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/font"
	"github.com/findspot/findspot/docsearch/pdf/internal/layout"
)

func TestTexAccent(t *testing.T) {
	for in, want := range map[string]string{"x": "x", "ŷ": `\hat{y}`, "σ̂": `\hat{σ}`, "x⃗y": `\vec{x}y`, "ε": "ε", "각": "각", "ç": "ç", "̂": "̂"} {
		if got := AccentTeX(in); got != want {
			t.Errorf("texAccent(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestSpaced(t *testing.T) {
	for _, tt := range []struct {
		formula, next string
		want          bool
	}{{`\log`, "x", true}, {`\log`, "(", false}, {"log", "x", false}, {`\{`, "x", false}, {"", "x", false}, {`2 \cos`, "ω", false}} {
		if got := Spaced(tt.formula, tt.next); got != tt.want {
			t.Errorf("spaced(%q, %q) = %v, want %v", tt.formula, tt.next, got, tt.want)
		}
	}
}

func TestOperatorAt(t *testing.T) {
	roman, slanted := &font.Font{}, &font.Font{Math: true}
	word := func(s string, f *font.Font) *layout.Segment {
		var seg layout.Segment
		for i, r := range s {
			seg.Glyphs = append(seg.Glyphs, content.Glyph{Text: string(r), X: float64(i) * 5, EndX: float64(i)*5 + 5, Dx: 1, Size: 10, Font: f})
		}
		return &seg
	}
	for _, tt := range []struct {
		s    *layout.Segment
		at   int
		want string
		n    int
	}{
		{word("max(x)", roman), 0, `\max`, 3},
		{word("maxim", roman), 0, "", 0},
		{word("climax", roman), 3, "", 0},
		{word("max", slanted), 0, "", 0},
		{word("2log", roman), 1, `\log`, 3},
		{word("minimises", roman), 0, "", 0},
	} {
		if op, n := OperatorAt(tt.s, tt.at); op.Tex != tt.want || n != tt.n {
			t.Errorf("operatorAt(%d) = %q, %d, want %q, %d", tt.at, op.Tex, n, tt.want, tt.n)
		}
	}
}

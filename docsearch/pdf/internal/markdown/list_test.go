package markdown

import (
	"testing"

	"github.com/findspot/findspot/docsearch/pdf/internal/pattern"
	"github.com/findspot/findspot/docsearch/pdf/internal/pdftest"
)

func TestNextMark(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{{"a)", "b)", true}, {"(a)", "(b)", true}, {"a)", "c)", false}, {"a)", "a)", false}, {"1.", "2.", true}, {"a)", "(b)", false}, {"•", "•", false}, {"", "", false}} {
		if got := nextMark(tt.a, tt.b); got != tt.want {
			t.Errorf("nextMark(%q, %q) = %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestPatterns(t *testing.T) {
	pdftest.CheckPatterns(t, map[string]pattern.Regexp{"bulletMark": bulletMark, "orderMark": orderMark, "glyphMark": glyphMark, "refMark": refMark})
}

package markdown

import "testing"

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

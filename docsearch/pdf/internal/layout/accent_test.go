package layout

import "testing"

func TestComposed(t *testing.T) {
	for _, tt := range []struct {
		base   string
		accent rune
		want   string
	}{
		{"u", 0x308, "ü"}, {"ı", 0x301, "í"}, {"l", 0x337, "ł"}, {"=", 0x338, "≠"}, {"∈", 0x338, "∉"},
		{"x", 0x302, "x\u0302"}, {"ab", 0x301, ""}, {"5", 0x301, ""}, {"", 0x301, ""},
	} {
		if got := composed(tt.base, tt.accent); got != tt.want {
			t.Errorf("composed(%q, %U) = %q, want %q", tt.base, tt.accent, got, tt.want)
		}
	}
}

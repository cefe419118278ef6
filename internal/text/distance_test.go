package text

import "testing"

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"signal", "signal", 0}, {"signal", "signl", 1}, {"signal", "signals", 1}, {"signal", "sygnal", 1},
		{"signal", "singal", 2}, {"kitten", "sitting", 3}, {"für", "fur", 1}, {"ab", "cd", 2},
	} {
		for _, p := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
			if got := Distance([]rune(p[0]), []rune(p[1])); got != c.want {
				t.Errorf("Distance(%q, %q) = %d, want %d", p[0], p[1], got, c.want)
			}
		}
	}
}

func TestEditDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"usign", "using", 1}, {"login", "logic", 1}, {"ca", "abc", 3}, {"häuser", "hausr", 2}} {
		for _, p := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
			if got := EditDistance([]rune(p[0]), []rune(p[1])); got != c.want {
				t.Errorf("EditDistance(%q, %q) = %d, want %d", p[0], p[1], got, c.want)
			}
		}
	}
}

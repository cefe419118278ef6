package visible

import "testing"

func TestMark(t *testing.T) {
	for _, tt := range []struct {
		s      string
		ranges [][2]int
		want   string
	}{
		{"the signal", [][2]int{{4, 10}}, "the <signal>"},
		{"a\u202eb c", [][2]int{{0, 4}}, "<a[U+202E]>b c"},
		{"abc", [][2]int{{2, 1}, {1, 9}, {0, 1}}, "<a>bc"},
		{"p\u0430yload", [][2]int{{1, 3}}, "p[U+0430]yload"}, // alone the letter would not be seen
	} {
		if got := Mark(tt.s, tt.ranges, "<", ">"); got != tt.want {
			t.Errorf("Mark(%q, %v) = %q, want %q", tt.s, tt.ranges, got, tt.want)
		}
	}
}

package lspclient

import (
	"strings"
	"testing"
)

// TestAim: what a column means on a line of Python, of which the fake server says that what follows "def" is declared.
func TestAim(t *testing.T) {
	c, root, _ := fakeClient(t, "", nil, func(s *ServerSpec) { s.Languages["python"] = []string{".py"} })
	c.pool.Registry.Specs = c.pool.Registry.Specs[:1]
	rows := []string{
		`def alpha(beta, gamma):  # call delta`,
		`    return beta + 17 * gamma`,
		`"quoted words" ; x9 = 3`,
		`# only a comment`,
		`12 + 34`,
		`return`,
		`é = ñame`,
	}
	writeFiles(t, root, map[string]string{"m.py": strings.Join(rows, "\n") + "\n"})
	for _, tt := range []struct {
		line, col int
		want      string // "" for none
		words     string // in the note
	}{
		{1, 5, "alpha", ""},
		{1, 10, "alpha", ""}, // just behind
		{1, 1, "alpha", `keyword "def"`},
		{1, 0, "alpha", "no column"},
		{1, -7, "alpha", "no column"},
		{1, 999, "alpha", "declares"},
		{1, 34, "delta", ""}, // in a comment, but meant
		{1, 11, "beta", ""},
		{2, 5, "beta", `keyword "return"`},
		{2, 1, "beta", "no identifier"},
		{2, 20, "beta", "no identifier"},
		{2, 24, "gamma", ""},
		{2, 22, "gamma", "no identifier"},
		{3, 1, "x9", "no identifier"},
		{3, 3, "quoted", ""},
		{4, 1, "only", "comment"},
		{5, 1, "", ""},
		{6, 2, "return", ""},
		{7, 6, "ñame", ""},
		{7, 1, "é", ""},
		{8, 1, "", ""},
		{99, 1, "", ""},
		{0, 1, "", ""},
	} {
		r, err := c.References(t.Context(), At("m.py", tt.line, tt.col), nil)
		if err != nil {
			if tt.want != "" {
				t.Errorf("At(%d, %d): %v", tt.line, tt.col, err)
			}
			continue
		}
		got := rows[r.Target.Line-1][r.Target.Col-1 : r.Target.EndCol-1]
		if got != tt.want || !strings.Contains(r.Note, tt.words) || tt.words == "" && r.Note != "" {
			t.Errorf("At(%d, %d) is %q with note %q, want %q and %q", tt.line, tt.col, got, r.Note, tt.want, tt.words)
		}
	}
}

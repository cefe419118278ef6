package gosyntax

import "testing"

func TestLines(t *testing.T) {
	for src, want := range map[string]int32{
		"package a\n": 1, "package a": 1, "package a\n\nfunc b() {}\n": 3, "package a\n\nfunc b() {}": 3, "package a\n\n\n": 3,
	} {
		facts, err := Frontend().Parse(t.Context(), "a.go", []byte(src))
		if err != nil || facts.Lines != want {
			t.Errorf("Parse(%q): %d lines, %v; want %d", src, facts.Lines, err, want)
		}
	}
}

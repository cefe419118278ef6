package encoding

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// A file may state megabytes of title; what is kept of it is bounded and stays text.
func TestStatedIsBounded(t *testing.T) {
	for _, s := range []string{strings.Repeat("x", 4*maxStated), "x" + strings.Repeat("é", maxStated)} {
		got := Clean(s)
		if len(got) > maxStated || len(got) < maxStated-utf8.UTFMax || !utf8.ValidString(got) {
			t.Errorf("clean of %d bytes gives %d bytes, valid %v; want at most %d, cut between characters", len(s), len(got), utf8.ValidString(got), maxStated)
		}
	}
	if got := Clean("a\x00b \n c"); got != "a b c" {
		t.Errorf("clean = %q, want %q", got, "a b c")
	}
}

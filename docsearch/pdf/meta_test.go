package pdf

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/pdf/internal/encoding"
)

// A file may state megabytes of title; what is kept of it is bounded and stays text.
func TestStatedIsBounded(t *testing.T) {
	for _, s := range []string{strings.Repeat("x", 4*encoding.MaxStated), "x" + strings.Repeat("é", encoding.MaxStated)} {
		got := encoding.Clean(s)
		if len(got) > encoding.MaxStated || len(got) < encoding.MaxStated-utf8.UTFMax || !utf8.ValidString(got) {
			t.Errorf("clean of %d bytes gives %d bytes, valid %v; want at most %d, cut between characters", len(s), len(got), utf8.ValidString(got), encoding.MaxStated)
		}
	}
	if got := encoding.Clean("a\x00b \n c"); got != "a b c" {
		t.Errorf("clean = %q, want %q", got, "a b c")
	}
}

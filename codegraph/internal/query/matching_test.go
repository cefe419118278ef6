package query

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/text"
)

// TestMayHold looks for the stem of each word of this repository's documentation in the word.
func TestMayHold(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("../../../docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	words := strings.Fields("dying lying tying skies flies tries sets setting stopped possibly singly QuerySet relational sized hoping am is")
	for _, p := range pages {
		b, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		words = append(words, regexp.MustCompile(`[A-Za-z]+`).FindAllString(string(b), -1)...)
	}
	for _, w := range words {
		for _, tok := range text.Tokens(w) {
			for _, part := range tok.Parts {
				if !mayHold(strings.ToLower(w), []string{part.Term}) {
					t.Errorf("%q: its stem %q is not seen", w, part.Term)
				}
			}
		}
	}
	if mayHold("a line of some words", []string{"set"}) {
		t.Error("a stem of three letters is seen where only its first one is")
	}
}

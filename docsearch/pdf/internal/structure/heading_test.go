package structure

import (
	"regexp"
	"testing"

	"github.com/findspot/findspot/docsearch/pdf/internal/pdftest"
)

func TestHasLeaders(t *testing.T) {
	leader := regexp.MustCompile(`\.{4,}|(?:\s\.){3,}|…{2,}|\s{3,}\d{1,4}$`)
	matched := false
	for s := range pdftest.ShortTexts {
		got, want := HasLeaders(s), leader.MatchString(s)
		if got != want {
			t.Fatalf("HasLeaders(%q) = %v, want %v", s, got, want)
		}
		matched = matched || got
	}
	if !matched {
		t.Error("no text tried is a line of contents")
	}
}

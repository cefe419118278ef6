package pdftest

import (
	"testing"
)

func TestSeeds(t *testing.T) {
	s := ReadSeeds(t, "../../testdata/quality")
	for what, list := range map[string][][]byte{"files": s.Files, "contents": s.Contents, "cmaps": s.CMaps, "fonts": s.Fonts} {
		if len(list) < 10 {
			t.Errorf("%d %s of at most 64 KiB, want 10 or more", len(list), what)
		}
	}
}

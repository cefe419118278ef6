package scan_test

import (
	"log/slog"
	"testing"
	"testing/fstest"

	"github.com/findspot/findspot/codegraph/gosyntax"
	"github.com/findspot/findspot/codegraph/internal/scan"
	"github.com/findspot/findspot/codegraph/lang"
)

// versioned is a front end of another version.
type versioned struct {
	lang.Frontend
	version int
}

func (v versioned) FeatureVersion() int { return v.version }

// What a pass reads is current at the next one: else every file would be looked at the long way, for ever.
func TestReadFilesAreCurrent(t *testing.T) {
	fsys := fstest.MapFS{"a.go": {Data: []byte("package a\n")}, "b.md": {Data: []byte("y\n")}}
	opt := scan.Options{MaxFile: 1 << 20, Logger: slog.New(slog.DiscardHandler), Progress: func(string, int, int) {}}
	s, err := scan.New(fsys, []lang.Frontend{versioned{gosyntax.Frontend(), 1}}, opt)
	if err != nil {
		t.Fatal(err)
	}
	st, _, err := s.Pass(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(st.Files) != len(fsys) {
		t.Fatalf("%d files of %d", len(st.Files), len(fsys))
	}
	next, err := scan.New(fsys, []lang.Frontend{versioned{gosyntax.Frontend(), 2}}, opt)
	if err != nil {
		t.Fatal(err)
	}
	for p, f := range st.Files {
		if !s.Current(f) {
			t.Errorf("%s is not current", p)
		}
		if want := f.Key.Lang == ""; next.Current(f) != want {
			t.Errorf("%s current under another version: %v, want %v", p, !want, want)
		}
	}
}

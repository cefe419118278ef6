package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/internal/golden"
)

// TestLiving makes all edits: a change of what is named, left alone or found shows in the golden table.
func TestLiving(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes 70 indexes")
	}
	if n := len(findspot.Languages()); n < 6 {
		t.Skipf("only %d languages are linked: the corpus needs cgo", n)
	}
	table, misses, err := run(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../living.md")
	if err != nil || !strings.Contains(strings.ReplaceAll(string(page), "\r\n", "\n"), table.String()) {
		t.Errorf("docs/bench/living.md has another table: %v", err)
	}
	golden.Compare(t, "testdata/living.md", fmt.Appendf(nil, "%s\n%s\n", table, strings.Join(misses, "\n")))
}

// TestGold makes sure that what is known of an edit is so: a fact that is not broken stands where it is known to be, in its words where it was not reworded, and one that is broken
// does not stand there in them.
func TestGold(t *testing.T) {
	if n := len(documents) + len(code); n < 30 {
		t.Errorf("%d edits", n)
	}
	first := newWorld()
	before, _ := first.write()
	for _, e := range append(append(documents[:len(documents):len(documents)], code...), later...) {
		w := newWorld()
		e.do(w)
		files, spots := w.write()
		touched := 0
		for _, f := range w.facts {
			if files[f.file] != before[f.file] {
				touched++
			}
			s, there := spots[f.id]
			switch {
			case !there:
			case w.broken[f.id] && w.reworded[f.id]:
				t.Errorf("%s: %s is broken and reworded", e.name, f.id)
			case s.page > 0:
				if len(s.lines) == 0 {
					t.Errorf("%s: %s has no lines", e.name, f.id)
				}
			default:
				lines := strings.Split(strings.ReplaceAll(files[s.file], "\r\n", "\n"), "\n")
				got := strings.Join(lines[s.first-1:s.last], "\n")
				same := strings.Contains(got, f.evidence)
				if same && (w.broken[f.id] || w.reworded[f.id]) {
					t.Errorf("%s: %s is said to have other words, and has %q", e.name, f.id, got)
				}
			}
		}
		if touched < 2 && !strings.HasPrefix(e.name, "a document copied") && !strings.HasPrefix(e.name, "functions copied") {
			t.Errorf("%s: %d facts are in files that change", e.name, touched)
		}
	}
}

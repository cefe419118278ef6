package codegraph

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/findspot/findspot/codegraph/gosyntax"
	"github.com/findspot/findspot/codegraph/internal/sourcetext"
	"github.com/findspot/findspot/codegraph/lang"
)

func TestPlainText(t *testing.T) {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	fsys := fstest.MapFS{
		"go.mod":            file("module m\n"),
		"a.go":              file("package m\n\n// Tune finds the carrier.\nfunc Tune() {}\n"),
		"docs/guide.md":     file("# Guide\n\nTurn the zirconium knob.\n"),
		"Makefile":          file("all:\n\tgo build"),
		"data.csv":          file("1,zirconium\n"),
		"big.txt":           file(strings.Repeat("zirconium\n", sourcetext.MaxText/10+1)),
		"small.json":        file("{\"zirconium\": 1}\n"),
		"big.json":          file(strings.Repeat("{}\n", sourcetext.MaxData/3+1)),
		"package-lock.json": file("{}"),
		"bad.txt":           file("a\x00b"),
		"empty.txt":         file(""),
		"x.min.js":          file("x"),
	}
	g, err := Build(t.Context(), fsys, []lang.Frontend{gosyntax.Frontend()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for e := range g.Entities() {
		if e.Kind == KindFile && e.Lang == "" {
			got = append(got, e.ID)
		}
	}
	if want := []string{"Makefile", "docs/guide.md", "empty.txt", "small.json"}; !slices.Equal(got, want) {
		t.Errorf("files without language: %v, want %v", got, want)
	}
	for _, s := range g.Skipped() {
		if !s.Rule {
			t.Errorf("%s: skipped as unreadable: %s", s.Path, s.Reason)
		}
	}
	r, err := g.Search(t.Context(), "zirconium knob", nil)
	if err != nil || len(r.Hits) == 0 || r.Hits[0].ID != "docs/guide.md" || !slices.Equal(r.Hits[0].Lines, []int{3}) {
		t.Errorf("Search = %+v, %v", r, err)
	}
	for view, want := range map[View]string{Full: "all:\n\tgo build\n", Preview: "Makefile\n", Fold: "Makefile\n"} {
		e, err := g.Retrieve(t.Context(), []string{"Makefile"}, &RetrieveOptions{View: view})
		if err != nil || len(e) != 1 || e[0].Text != want || e[0].EndLine != 2 {
			t.Errorf("Retrieve(%s) = %+v, %v", view, e, err)
		}
	}
	w, err := g.Traverse(t.Context(), []string{"docs/guide.md"}, &TraverseOptions{Direction: In})
	if err != nil || len(w.IDs) != 2 || w.IDs[1] != "docs" {
		t.Errorf("Traverse = %+v, %v", w, err)
	}
}

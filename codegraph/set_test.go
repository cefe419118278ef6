package codegraph_test

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/codegraph"
)

// worktrees gives two states of one repository side by side.
func worktrees(t *testing.T) (*codegraph.Set, fstest.MapFS, fstest.MapFS) {
	t.Helper()
	left, right := repo(), repo()
	right["radio/new.go"] = &fstest.MapFile{Data: []byte("package radio\n\n// Tune follows the carrier.\nfunc Tune(r *Receiver) { r.Run() }\n")}
	s, err := codegraph.NewSet(codegraph.Member{Name: "old", Graph: build(t, left)}, codegraph.Member{Name: "new", Graph: build(t, right)})
	if err != nil {
		t.Fatal(err)
	}
	return s, left, right
}

func TestSet(t *testing.T) {
	s, _, _ := worktrees(t)
	res, err := s.Search(t.Context(), "Receiver.Run", nil)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, h := range res.Hits {
		ids = append(ids, h.ID)
		if !strings.HasPrefix(h.ID, h.Repo+"//") {
			t.Errorf("hit %s of repo %q", h.ID, h.Repo)
		}
	}
	if d := cmp.Diff([]string{"new//radio/rx.go:Receiver.Run", "old//radio/rx.go:Receiver.Run"}, ids[:2]); d != "" {
		t.Errorf("hits (-want +got):\n%s", d)
	}
	if res, err = s.Search(t.Context(), "old//Receiver.Run", nil); err != nil || len(res.Hits) == 0 || res.Hits[0].ID != "old//radio/rx.go:Receiver.Run" || res.Total != 1 {
		t.Errorf("Search in one = %+v, %v", res, err)
	}
	if res, err = s.Search(t.Context(), "follows the carrier", nil); err != nil || res.Hits[0].ID != "new//radio/new.go:Tune" || res.Hits[0].Match != "bm25" {
		t.Errorf("Search in bodies = %+v, %v", res, err)
	}
	// The callers of one tree are never those of the other.
	w, err := s.Traverse(t.Context(), []string{"old//radio/rx.go:Receiver.Run", "new//radio/rx.go:10", "Tune"}, &codegraph.TraverseOptions{Direction: codegraph.Callers})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"old//radio/rx.go:Receiver.Run", "old//main.go:main", "new//radio/rx.go:Receiver.Run", "new//radio/new.go:Tune", "new//main.go:main"}
	if d := cmp.Diff(want, w.IDs); d != "" {
		t.Errorf("IDs (-want +got):\n%s", d)
	}
	if len(w.Nodes) != 5 || w.Nodes[1].ID != "old//main.go:main" || w.TestsHidden != 2 || len(w.About) != 3 || w.About[2].ID != "new//radio/new.go:Tune" {
		t.Errorf("walk = %+v", w)
	}
	for _, e := range w.Edges {
		if e.Src[:5] != e.Dst[:5] {
			t.Errorf("edge from %s to %s", e.Src, e.Dst)
		}
	}
	if w, err = s.Traverse(t.Context(), []string{"old//main.go:main", "new//main.go:main"}, &codegraph.TraverseOptions{Direction: codegraph.Callees, Limit: 2}); err != nil || len(w.IDs) != 4 || w.Cut != 2 {
		t.Errorf("with a limit for both: %+v, %v", w, err)
	}
	got, err := s.Retrieve(t.Context(), []string{"new//radio/new.go:Tune", "old//radio/rx.go:22", "new//main.go:main"}, &codegraph.RetrieveOptions{Numbers: true, View: codegraph.Preview})
	if err != nil || len(got) != 3 || got[0].Text != "4 | func Tune(r *Receiver) { r.Run() }\n" || got[1].ID != "old//radio/rx.go:Receiver.DetectPSS" {
		t.Errorf("Retrieve = %+v, %v", got, err)
	}
	if want := "14 | func (r *Receiver) DetectPSS() {\n15 | \t// correlate with the primary sequence\n16 | \tr.n++\n17 | \tr.n++\n18 | \tr.n++\n19 | \tr.n++\n   | \t...\n"; got[1].Text != want {
		t.Errorf("numbered preview:\n%s", got[1].Text)
	}
	if e, ok := s.Entity("new//radio/new.go:Tune"); !ok || e.ID != "new//radio/new.go:Tune" {
		t.Errorf("Entity = %+v, %v", e, ok)
	}
	if n := s.Named("main.go:main"); len(n) != 2 || n[0].ID != "old//main.go:main" {
		t.Errorf("Named = %+v", n)
	}
	for id, want := range map[string]string{
		"main.go:main":         "ask for one: old//main.go:main, new//main.go:main",
		"third//main.go:main":  "there are old, new",
		"new//main.go:mian":    "new//", // near ids carry the name
		"radio/new.go:Tunee":   "new//radio/new.go:Tune",
		"old//radio/new.go:42": "not found",
	} {
		if _, err := s.Retrieve(t.Context(), []string{id}, nil); !errors.Is(err, codegraph.ErrNotFound) || !strings.Contains(err.Error(), want) {
			t.Errorf("Retrieve(%s): %v, want it to say %q", id, err, want)
		}
	}
}

func TestNewSet(t *testing.T) {
	g := build(t, repo())
	for _, bad := range [][]codegraph.Member{
		{{Name: "a", Graph: g}, {Name: "a", Graph: g}},
		{{Name: "a", Graph: g}, {Graph: g}},
		{{Name: "a/b", Graph: g}},
		{{Name: "a"}},
	} {
		if _, err := codegraph.NewSet(bad...); err == nil {
			t.Errorf("NewSet(%v) has no error", bad)
		}
	}
	s, err := codegraph.NewSet(codegraph.Member{Graph: g})
	if err != nil {
		t.Fatal(err)
	}
	if r, err := s.Search(t.Context(), "main.go:main", nil); err != nil || r.Hits[0].ID != "main.go:main" || r.Hits[0].Repo != "" {
		t.Errorf("one without a name: %+v, %v", r, err)
	}
	empty, err := codegraph.NewSet()
	if err != nil {
		t.Fatal(err)
	}
	if r, err := empty.Search(t.Context(), "x", nil); err != nil || len(r.Hits) != 0 {
		t.Errorf("empty: %+v, %v", r, err)
	}
	if _, err := empty.Retrieve(t.Context(), []string{"x"}, nil); !errors.Is(err, codegraph.ErrNotFound) {
		t.Errorf("empty: %v", err)
	}
}

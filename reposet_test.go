package findspot_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
)

// Two worktrees of one repository have folders of one name here; answers never mix them.
func TestWorktreesSideBySide(t *testing.T) {
	ws := open(t, t.TempDir(), &findspot.Options{NoServers: true})
	var dirs []string
	for _, caller := range []string{"before", "after"} {
		dir := filepath.Join(t.TempDir(), "project")
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "m.py"), []byte("def tune():\n    pass\n\n\ndef "+caller+"():\n    tune()\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := ws.AddRepo(t.Context(), dir, nil); err != nil {
			t.Fatal(err)
		}
		dirs = append(dirs, dir)
	}
	res, err := ws.SearchCode(t.Context(), "tune", nil)
	if err != nil || len(res.Hits) < 2 || res.Hits[0].ID == res.Hits[1].ID {
		t.Fatalf("SearchCode = %+v, %v, want one of each", res, err)
	}
	for _, h := range res.Hits[:2] {
		if !strings.HasPrefix(h.ID, "project-") || h.ID != h.Repo+"//m.py:tune" {
			t.Fatalf("hit %s of %s", h.ID, h.Repo)
		}
		walk, err := ws.Traverse(t.Context(), []string{h.ID}, &codegraph.TraverseOptions{Direction: codegraph.Callers})
		if err != nil || len(walk.IDs) != 2 || !strings.HasPrefix(walk.IDs[1], h.Repo+"//m.py:") {
			t.Errorf("Traverse(%s) = %+v, %v, want its one caller", h.ID, walk, err)
		}
		callers, err := ws.Callers(t.Context(), h.ID, nil)
		if err != nil || len(callers.Callers) != 1 || callers.Callers[0].Repo != h.Repo || callers.Callers[0].Entity.ID != walk.IDs[1] {
			t.Errorf("Callers(%s) = %+v, %v", h.ID, callers, err)
		}
	}
	if _, err := ws.Traverse(t.Context(), []string{"m.py:tune"}, nil); err == nil || !strings.Contains(err.Error(), "ask for one: project-") {
		t.Errorf("an id of both: %v", err)
	}
	// What changed on disk is seen by the next question.
	if err := os.WriteFile(filepath.Join(dirs[0], "m.py"), []byte("def tune():\n    pass\n\n\ndef later():\n    tune()\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if found, near, err := ws.Named(t.Context(), "later"); err != nil || len(found) != 1 || len(near) != 0 {
		t.Errorf("Named = %+v, %v, %v", found, near, err)
	}
	if found, near, err := ws.Named(t.Context(), "laterr"); err != nil || len(found) != 0 || len(near) == 0 || !strings.HasPrefix(near[0], "project-") {
		t.Errorf("Named = %+v, %v, %v", found, near, err)
	}
}

// A repository alone has ids without a name, and takes ids with one.
func TestRepositoryAlone(t *testing.T) {
	ws := open(t, t.TempDir(), &findspot.Options{NoServers: true})
	dir := write(t, map[string]string{"m.py": "def tune():\n    pass\n"})
	if _, err := ws.AddRepo(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"m.py:tune", filepath.Base(dir) + "//m.py:tune", "tune", "m.py:2"} {
		got, err := ws.Retrieve(t.Context(), []string{id}, nil)
		if err != nil || got[0].ID != "m.py:tune" {
			t.Errorf("Retrieve(%s) = %+v, %v", id, got, err)
		}
	}
}

func TestReferencesAreUses(t *testing.T) {
	ws := open(t, t.TempDir(), &findspot.Options{NoServers: true})
	dir := write(t, map[string]string{
		"go.mod":     "module example.com/m\n",
		"lib/lib.go": "package lib\n\nfunc Helper() {}\n\ntype Fault struct{}\n",
		"main.go":    "package main\n\nimport \"example.com/m/lib\"\n\nfunc passes(register func(func())) {\n\tregister(lib.Helper)\n}\n\nfunc catches(f *lib.Fault) {}\n",
	})
	if _, err := ws.AddRepo(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"Helper": "main.go:passes", "Fault": "main.go:catches"} {
		res, err := ws.Callers(t.Context(), name, nil)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, c := range res.Callers {
			if c.Entity.ID == want && !c.Call && c.Via == "graph" && len(c.Sites) == 1 {
				found = true
			}
		}
		if !found {
			t.Errorf("Callers(%s) = %+v, want the use by %s, known by the graph", name, res.Callers, want)
		}
	}
}

// Places of several repositories are one list, as the files are now; those of one alone have no name before them.
func TestLocate(t *testing.T) {
	ws := open(t, t.TempDir(), &findspot.Options{NoServers: true})
	if _, err := ws.Locate(t.Context(), "retune the mixer", nil); err == nil || !strings.Contains(err.Error(), "no repository in the workspace") {
		t.Errorf("without repositories: %v", err)
	}
	const report = "Mixer.retune forgets the phase\n\nAfter `retune` the phase of the mixer is zero."
	one := write(t, map[string]string{"mixer.py": "class Mixer:\n    def retune(self, step):\n        self.phase = 0\n\n    def stop(self):\n        pass\n"})
	two := write(t, map[string]string{"other.py": "def unrelated():\n    return 1\n"})
	if _, err := ws.AddRepo(t.Context(), one, nil); err != nil {
		t.Fatal(err)
	}
	first := func(want string) codegraph.Spot {
		t.Helper()
		res, err := ws.Locate(t.Context(), report, &codegraph.LocateOptions{Kinds: []codegraph.Kind{codegraph.KindFunction}})
		if err != nil || len(res.Spots) == 0 || res.Spots[0].ID != want {
			t.Fatalf("Locate = %+v, %v, want %s first", res, err, want)
		}
		return res.Spots[0]
	}
	if s := first("mixer.py:Mixer.retune"); s.Repo != "" || s.Path != "mixer.py" {
		t.Errorf("alone: %+v", s)
	}
	if _, err := ws.AddRepo(t.Context(), two, nil); err != nil {
		t.Fatal(err)
	}
	label := filepath.Base(one)
	if s := first(label + "//mixer.py:Mixer.retune"); s.Repo != label || s.Path != "mixer.py" {
		t.Errorf("beside another: %+v", s)
	}
	// An edit counts at once.
	if err := os.WriteFile(filepath.Join(two, "other.py"), []byte("class Mixer:\n    def retune(self, phase):\n        return phase  # the phase after retune of the mixer\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(one, "mixer.py")); err != nil {
		t.Fatal(err)
	}
	first(filepath.Base(two) + "//other.py:Mixer.retune")
	if _, err := ws.Locate(t.Context(), report, &codegraph.LocateOptions{Limit: -1, Weights: map[string]float64{"colour": 1}}); err == nil || !strings.Contains(err.Error(), "Limit") || !strings.Contains(err.Error(), "colour") {
		t.Errorf("bad options: %v", err)
	}
}

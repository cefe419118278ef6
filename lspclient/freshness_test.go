package lspclient

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/findspot/findspot/lspclient/internal/registry"
	"github.com/findspot/findspot/lspclient/serverspec"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestSameSizeAndTime: a file written again within the clock's tick, or with its time set back, is a changed file.
func TestSameSizeAndTime(t *testing.T) {
	c, root, _ := fakeClient(t, "", nil)
	path := filepath.Join(root, "a.fk")
	old := time.Now().Add(-time.Hour)
	for i, text := range []string{"def alpha\nuse alpha beta\n", "def alphA\nuse alphA beta\n", "def alpha\nuse alpha beta\n", "def alphA\nuse alphA beta\n"} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
		snap, err := c.pool.Tree.Scan(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := c.pool.Tree.Scan(t.Context()); again != snap {
			t.Error("two looks at the same files differ")
		}
		r, err := c.Symbols(t.Context(), "a.fk")
		if err != nil {
			t.Fatal(err)
		}
		if want := []string{"alpha", "alphA"}[i%2]; len(r.Symbols) != 1 || r.Symbols[0].Name != want {
			t.Errorf("after edit %d: %+v, want %s", i, r.Symbols, want)
		}
	}
}

func TestLinks(t *testing.T) {
	c, root, _ := fakeClient(t, "", nil)
	outside := t.TempDir()
	writeFiles(t, outside, map[string]string{"o.fk": "use alpha\n"})
	for link, to := range map[string]string{"file.fk": "a.fk", "dir": "sub", "dir2": "sub", "sub/up": "..", "out": outside, "gone.fk": "nothing"} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	files := func() []string {
		var list []string
		for path := range must(c.pool.Tree.Scan(t.Context())).Files {
			list = append(list, c.pool.Tree.Relative(path))
		}
		slices.Sort(list)
		return list
	}
	if diff := cmp.Diff([]string{"a.fk", "dir/b.fk", "file.fk", "sub/b.fk"}, files()); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	for _, f := range must(c.pool.Folders(t.Context())) {
		if len(f.Files) != 2 {
			t.Errorf("a folder counts what is linked: %v", f.Files)
		}
	}
	if err := os.Remove(filepath.Join(root, "dir")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a.fk", "dir2/b.fk", "file.fk", "sub/b.fk"}, files()); diff != "" {
		t.Errorf("files after a link is gone (-want +got):\n%s", diff)
	}
}

// TestFreshness: each way an entry can name makes the server see what changed.
func TestFreshness(t *testing.T) {
	t.Parallel()
	starts := func(log []string) int {
		n := 0
		for _, m := range log {
			if m == "initialize" {
				n++
			}
		}
		return n
	}
	for way, want := range map[string]struct {
		edit, remove, marker int // processes after each
		method               string
	}{
		"":        {1, 1, 1, "workspace/didChangeWatchedFiles"},
		"watch":   {1, 1, 1, "workspace/didChangeWatchedFiles"},
		"reopen":  {1, 2, 2, "textDocument/didOpen"},
		"restart": {2, 3, 4, "initialize"},
	} {
		t.Run(way, func(t *testing.T) {
			c, root, dir := fakeClient(t, "", nil, func(s *ServerSpec) {
				s.Freshness = way
				s.Watch = []string{"settings.json"}
				if way == "restart" {
					s.MarkerFreshness = way
				}
			})
			usesOf(t, c, "alpha")
			writeFiles(t, root, map[string]string{"sub/new.fk": "use alpha\n"})
			if got := usesOf(t, c, "alpha"); !slices.Contains(got, "sub/new.fk:1") {
				t.Errorf("after a new file: %v", got)
			}
			usesOf(t, c, "alpha") // nothing changed
			if n := starts(fakeLog(t, dir)); n != want.edit {
				t.Errorf("%d processes after a new file, want %d", n, want.edit)
			}
			if log := fakeLog(t, dir); !slices.Contains(log, want.method) {
				t.Errorf("the server never got %s: %v", want.method, log)
			}
			if err := os.Remove(filepath.Join(root, "sub/new.fk")); err != nil {
				t.Fatal(err)
			}
			usesOf(t, c, "alpha")
			if n := starts(fakeLog(t, dir)); n != want.remove {
				t.Errorf("%d processes after a file was removed, want %d", n, want.remove)
			}
			writeFiles(t, root, map[string]string{"settings.json": "{}"})
			usesOf(t, c, "alpha")
			if n := starts(fakeLog(t, dir)); n != want.marker {
				t.Errorf("%d processes after a watched file changed, want %d", n, want.marker)
			}
		})
	}
}

// TestFoldersTold: a server that watches everything hears of folders that came or went, one that watches files by their
// endings does not, and none hears of a folder that an overlay keeps.
func TestFoldersTold(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		glob, overlay string
		came, went    string
	}{
		{"**", "", "ROOT/new 1,ROOT/new/deep 1,ROOT/new/deep/c.fk 1", "ROOT/new 3,ROOT/new/deep 3,ROOT/new/deep/c.fk 3"},
		{"**/*.fk", "", "ROOT/new/deep/c.fk 1", "ROOT/new/deep/c.fk 3"},
		{"**", "new/over.fk", "ROOT/new/deep 1,ROOT/new/deep/c.fk 1", "ROOT/new/deep 3,ROOT/new/deep/c.fk 3"},
	} {
		t.Run(tt.glob+tt.overlay, func(t *testing.T) {
			script := `initialize asks client/registerCapability {"registrations":[{"id":"1","method":"workspace/didChangeWatchedFiles","registerOptions":{"watchers":[{"globPattern":"` +
				tt.glob + `"}]}}]}` + "\ndidChangeWatchedFiles notes"
			c, root, dir := fakeClient(t, script, nil)
			if tt.overlay != "" {
				if err := c.SetOverlay(tt.overlay, []byte("use alpha\n")); err != nil {
					t.Fatal(err)
				}
			}
			usesOf(t, c, "alpha")
			told := func() string {
				t.Helper()
				os.Remove(filepath.Join(dir, "notes"))
				usesOf(t, c, "alpha")
				var list []string
				for line := range strings.Lines(string(must(os.ReadFile(filepath.Join(dir, "notes"))))) {
					var p struct {
						Changes []struct {
							URI  string
							Type int
						}
					}
					if err := json.Unmarshal([]byte(line), &p); err != nil {
						t.Fatal(err)
					}
					for _, e := range p.Changes {
						list = append(list, fmt.Sprintf("%s %d", e.URI, e.Type))
					}
				}
				return strings.Join(list, ",")
			}
			writeFiles(t, root, map[string]string{"new/deep/c.fk": "use alpha\n"})
			if diff := cmp.Diff(tt.came, told()); diff != "" {
				t.Errorf("%s: told of what came (-want +got):\n%s", tt.glob, diff)
			}
			if err := os.RemoveAll(filepath.Join(root, "new")); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.went, told()); diff != "" {
				t.Errorf("%s: told of what went (-want +got):\n%s", tt.glob, diff)
			}
		})
	}
}

// TestUnwatched: a server that has not registered for any change is shown what changed and made to look at the disk; one
// that has is not.
func TestUnwatched(t *testing.T) {
	t.Parallel()
	for _, registers := range []bool{false, true} {
		t.Run(fmt.Sprintf("registers=%v", registers), func(t *testing.T) {
			script := "executeCommand notes\nexecuteCommand error -32603 never mind"
			if registers {
				script += "\n" + `initialize asks client/registerCapability {"registrations":[{"id":"1","method":"workspace/didChangeWatchedFiles","registerOptions":{"watchers":[{"globPattern":"**/*.fk"}]}}]}`
			}
			c, root, dir := fakeClient(t, script, nil, func(s *ServerSpec) {
				s.Unwatched = serverspec.UnwatchedRule{Command: "look", Arguments: []any{"all", map[string]any{"now": true}}}
			})
			usesOf(t, c, "alpha")
			commands := func() []string {
				data, _ := os.ReadFile(filepath.Join(dir, "notes"))
				return strings.Fields(string(data))
			}
			if got := commands(); len(got) > 0 {
				t.Errorf("before any change: %v", got)
			}
			writeFiles(t, root, map[string]string{"sub/new.fk": "use alpha\n"})
			if got := usesOf(t, c, "alpha"); !slices.Contains(got, "sub/new.fk:1") {
				t.Errorf("after a new file: %v", got)
			}
			writeFiles(t, root, map[string]string{"sub/new.fk": "\nuse alpha\n"})
			if got := usesOf(t, c, "alpha"); !slices.Contains(got, "sub/new.fk:2") {
				t.Errorf("after an edit: %v", got)
			}
			if err := os.Remove(filepath.Join(root, "sub/new.fk")); err != nil {
				t.Fatal(err)
			}
			usesOf(t, c, "alpha")
			usesOf(t, c, "alpha") // nothing changed
			var want []string
			if !registers {
				want = slices.Repeat([]string{`{"command":"look","arguments":["all",{"now":true}]}`}, 2)
			}
			if diff := cmp.Diff(want, commands(), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("registers %v: commands (-want +got):\n%s", registers, diff)
			}
		})
	}
}

// TestMarkerCame: with "came" a marker in the workspace folder that came or went needs a new process, one that changed or
// lies deeper does not.
func TestMarkerCame(t *testing.T) {
	c, root, dir := fakeClient(t, "", nil, func(s *ServerSpec) { s.MarkerFreshness, s.Watch = registry.FreshCame, []string{"settings.json"} })
	step := func(what string, want int) {
		t.Helper()
		usesOf(t, c, "alpha")
		n := 0
		for _, m := range fakeLog(t, dir) {
			if m == "initialize" {
				n++
			}
		}
		if n != want {
			t.Errorf("%d processes after a marker %s, want %d", n, what, want)
		}
	}
	step("was not there", 1)
	writeFiles(t, root, map[string]string{"sub/settings.json": "{}"})
	step("came below", 1)
	writeFiles(t, root, map[string]string{"settings.json": "{}"})
	step("came", 2)
	writeFiles(t, root, map[string]string{"settings.json": "{ }"})
	step("changed", 2)
	if err := os.Remove(filepath.Join(root, "settings.json")); err != nil {
		t.Fatal(err)
	}
	step("went", 3)
}

// TestLaidIsSettled: a server that reads what it is shown behind the scenes is waited for after an overlay came, changed
// and went.
func TestLaidIsSettled(t *testing.T) {
	c, _, dir := fakeClient(t, "documentSymbol notes", nil, func(s *ServerSpec) { s.Mentions = serverspec.MentionRule{Most: 10, Settle: true} })
	usesOf(t, c, "alpha")
	for i, text := range []string{"def alpha\n", "def alpha\nuse alpha\n", ""} {
		os.Remove(filepath.Join(dir, "notes"))
		var err error
		if text != "" {
			err = c.SetOverlay("sub/b.fk", []byte(text))
		} else {
			err = c.RemoveOverlay("sub/b.fk")
		}
		if err != nil {
			t.Fatal(err)
		}
		usesOf(t, c, "alpha")
		if notes, _ := os.ReadFile(filepath.Join(dir, "notes")); !strings.Contains(string(notes), "ROOT/sub/b.fk") {
			t.Errorf("step %d: the server was not waited for: %s", i, notes)
		}
	}
}

// TestProjects: the symbols of a server that lists those of one project only are degraded when there are two.
func TestProjects(t *testing.T) {
	c, root, _ := fakeClient(t, "", nil, func(s *ServerSpec) { s.Watch, s.Reach.Projects = []string{"project.json"}, []string{"project.json"} })
	for i, want := range []State{Complete, Complete, Degraded} {
		if i > 0 {
			writeFiles(t, root, map[string]string{[]string{"", "project.json", "sub/project.json"}[i]: "{}"})
		}
		r, err := c.WorkspaceSymbols(t.Context(), "alpha", nil)
		if err != nil || r.State != want || len(r.Symbols) != 1 {
			t.Errorf("with %d projects: %+v, %v, want one symbol, %s", i, r, err, want)
		}
	}
}

// TestTimeless: a file that changed and has the time that it had is shown to the server, which may go by times; another is
// not, and one of many makes a new process.
func TestTimeless(t *testing.T) {
	c, root, dir := fakeClient(t, "didOpen notes", nil)
	old := time.Now().Add(-time.Hour)
	var many []string
	for i := range 32 {
		many = append(many, fmt.Sprintf("many/%d.fk", i))
	}
	write := func(text string, at time.Time, names ...string) {
		t.Helper()
		for _, name := range names {
			writeFiles(t, root, map[string]string{name: text})
			if err := os.Chtimes(filepath.Join(root, name), at, at); err != nil {
				t.Fatal(err)
			}
		}
	}
	write("use alpha\n", old, append(many, "sub/c.fk")...)
	usesOf(t, c, "alpha")
	for _, step := range []struct {
		text  string
		at    time.Time
		names []string
		shown bool
		lives int
	}{
		{"\nuse beta\n", old.Add(time.Minute), []string{"sub/c.fk"}, false, 1},
		{"use gamma\n", old.Add(time.Minute), []string{"sub/c.fk"}, true, 1},
		{"use gamma\n", old, many, false, 2},
	} {
		os.Remove(filepath.Join(dir, "notes"))
		write(step.text, step.at, step.names...)
		usesOf(t, c, "alpha")
		notes, _ := os.ReadFile(filepath.Join(dir, "notes"))
		if got := strings.Contains(string(notes), "ROOT/"+step.names[0]); got != step.shown {
			t.Errorf("%q of %v: shown %v, want %v", step.text, step.at, got, step.shown)
		}
		lives := 0
		for _, m := range fakeLog(t, dir) {
			if m == "initialize" {
				lives++
			}
		}
		if lives != step.lives {
			t.Errorf("%q of %v: %d processes, want %d", step.text, step.at, lives, step.lives)
		}
	}
}

// TestFolderReplaced: a folder that was moved away and made anew gets a new process.
func TestFolderReplaced(t *testing.T) {
	c, root, _ := fakeClient(t, "", nil)
	writeFiles(t, root, map[string]string{"part/fake.mod": "", "part/c.fk": "def gamma\nuse gamma\n"})
	if got := usesOf(t, c, "gamma"); !slices.Equal(got, []string{"part/c.fk:2"}) {
		t.Fatal(got)
	}
	if err := os.Rename(filepath.Join(root, "part"), filepath.Join(root, "moved")); err != nil {
		t.Fatal(err)
	}
	if got := usesOf(t, c, "gamma"); !slices.Equal(got, []string{"moved/c.fk:2"}) {
		t.Errorf("after the folder moved: %v", got)
	}
	if _, err := c.Symbols(t.Context(), "part/c.fk"); err == nil {
		t.Error("Symbols of a file that is gone: no error")
	}
	writeFiles(t, root, map[string]string{"part/fake.mod": "", "part/c.fk": "def delta\n\nuse delta\n"})
	if got := usesOf(t, c, "delta"); !slices.Equal(got, []string{"part/c.fk:3"}) {
		t.Errorf("after another folder took its place: %v", got)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

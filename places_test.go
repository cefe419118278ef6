package findspot_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/internal/fakels"
	"github.com/findspot/findspot/internal/home"
	"github.com/findspot/findspot/internal/leak"
	"github.com/findspot/findspot/lspclient"
)

func TestMain(m *testing.M) {
	fakels.ServeIfAsked()
	os.Exit(leak.Main(func() int { return home.Run(m) }))
}

// fakeOptions give a workspace the fake servers, before all others.
func fakeOptions(t *testing.T, servers ...fakels.Server) *findspot.Options {
	t.Helper()
	yaml, pids := fakels.Entries(t, servers...)
	t.Cleanup(func() { fakels.WaitGone(t, pids) }) // after the workspace was closed
	specs, err := lspclient.ParseServers([]byte(yaml))
	if err != nil {
		t.Fatal(err)
	}
	o := &findspot.Options{Servers: findspot.ServerOptions{Entries: specs, NoFile: true}}
	for _, s := range servers {
		o.Servers.Prefer = append(o.Servers.Prefer, s.Name)
	}
	return o
}

// withRepos opens a workspace on repositories.
func withRepos(t *testing.T, o *findspot.Options, dirs ...string) *findspot.Workspace {
	t.Helper()
	ws := open(t, t.TempDir(), o)
	for _, dir := range dirs {
		if _, err := ws.AddRepo(t.Context(), dir, nil); err != nil {
			t.Fatal(err)
		}
	}
	return ws
}

var fakePy = fakels.Server{Name: "fakepy", Language: "python", Ext: ".py"}

// repoNamed makes a repository in a folder of that name.
func repoNamed(t *testing.T, name string, files map[string]string) string {
	t.Helper()
	named := map[string]string{}
	for p, text := range files {
		named[name+"/"+p] = text
	}
	return filepath.Join(write(t, named), name)
}

func lines(p *findspot.Places) []string {
	out := []string{}
	for _, x := range p.Placed {
		out = append(out, strings.Join([]string{x.Entity.ID, x.Text}, " | "))
	}
	return out
}

func TestPlacesHaveTheirFunctions(t *testing.T) {
	dir := write(t, map[string]string{
		"lib/core.py": "class Box:\n    def open(self):\n        return helper()\n\n\ndef helper():\n    return 1\n",
		"app.py":      "from lib.core import helper\n\n\ndef main():\n    print(helper())\n",
	})
	ws := withRepos(t, fakeOptions(t, fakePy), dir)
	refs, err := ws.References(t.Context(), lspclient.Named("helper"), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"app.py | from lib.core import helper", "app.py:main | print(helper())", "lib/core.py:Box.open | return helper()"}
	if d := cmp.Diff(want, lines(refs)); d != "" {
		t.Errorf("references (-want +got):\n%s", d)
	}
	if refs.State != lspclient.Complete || refs.Total != 3 || refs.None() {
		t.Errorf("references: %s, %d, none %v; want a complete answer with 3", refs.State, refs.Total, refs.None())
	}
	var ids []string
	for _, e := range refs.Entities() {
		ids = append(ids, e.ID)
	}
	if d := cmp.Diff([]string{"app.py", "app.py:main", "lib/core.py:Box.open"}, ids); d != "" {
		t.Errorf("Entities (-want +got):\n%s", d)
	}
	def, err := ws.Definition(t.Context(), lspclient.At("app.py", 5, 11), nil)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"lib/core.py:helper | def helper():"}, lines(def)); d != "" {
		t.Errorf("definition (-want +got):\n%s", d)
	}
	// An edit on disk is seen by the server and by the graph alike.
	if err := os.WriteFile(filepath.Join(dir, "app.py"), []byte("from lib.core import helper\n\n\ndef first(): pass\n\n\ndef second():\n    helper()\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if refs, err = ws.References(t.Context(), lspclient.Named("helper"), nil); err != nil {
		t.Fatal(err)
	}
	if got := lines(refs)[1]; got != "app.py:second | helper()" {
		t.Errorf("after an edit: %q", got)
	}
}

func TestPlacesOfSeveralRepositories(t *testing.T) {
	left := repoNamed(t, "left", map[string]string{"a.py": "def same():\n    return only()\n\n\ndef only():\n    pass\n"})
	right := repoNamed(t, "right", map[string]string{"a.py": "def same():\n    pass\n", "b.py": "from a import same\n"})
	ws := withRepos(t, fakeOptions(t, fakePy), left, right)

	refs, err := ws.References(t.Context(), lspclient.Named("only"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if refs.Repo != "left" || refs.Placed[0].Entity.ID != "left//a.py:same" {
		t.Errorf("references of a name in one repository: %q in %q", refs.Placed[0].Entity.ID, refs.Repo)
	}

	_, err = ws.References(t.Context(), lspclient.Named("same"), nil)
	var many *lspclient.AmbiguousError
	if !errors.As(err, &many) || len(many.Candidates) != 2 || many.Candidates[0].Location.Path != "left//a.py" || many.Candidates[1].Location.Path != "right//a.py" {
		t.Fatalf("a name of both repositories: %v, want both as candidates", err)
	}
	// Each candidate can be asked about as it is given.
	for i, c := range many.Candidates {
		refs, err := ws.References(t.Context(), lspclient.At(c.Location.Path, c.Location.Line, c.Location.Col), nil)
		if err != nil {
			t.Fatal(err)
		}
		if want := []int{0, 1}[i]; refs.Total != want || refs.State != lspclient.Complete {
			t.Errorf("%s: %d references, %s; want %d, complete", c.Location.Path, refs.Total, refs.State, want)
		}
	}
	if refs, err = ws.References(t.Context(), lspclient.Named("right//same"), nil); err != nil || refs.Total != 1 || refs.Repo != "right" {
		t.Errorf("right//same: %v, %v", refs, err)
	}
	if _, err := ws.Definition(t.Context(), lspclient.At("a.py", 1, 5), nil); !errors.As(err, &many) {
		t.Errorf("a path that both repositories hold: %v, want an *AmbiguousError", err)
	}
	if _, err := ws.Definition(t.Context(), lspclient.At("b.py", 1, 15), nil); err != nil {
		t.Errorf("a path that one repository holds: %v", err)
	}
	if _, err := ws.Definition(t.Context(), lspclient.At(filepath.Join(right, "b.py"), 1, 15), nil); err != nil {
		t.Errorf("an absolute path: %v", err)
	}
	if _, err := ws.Definition(t.Context(), lspclient.Named("nothing//same"), nil); !errors.Is(err, findspot.ErrNotFound) {
		t.Errorf("a repository that is not there: %v, want ErrNotFound", err)
	}
}

func TestServersFile(t *testing.T) {
	yaml, _ := fakels.Entries(t, fakels.Server{Name: "mine", Language: "python", Ext: ".py"})
	config := t.TempDir()
	for _, name := range []string{"XDG_CONFIG_HOME", "HOME", "AppData"} {
		t.Setenv(name, config)
	}
	base, err := os.UserConfigDir()
	if err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(base, "findspot", "servers.yaml")
	if err := os.MkdirAll(filepath.Dir(own), 0o700); err != nil {
		t.Fatal(err)
	}
	put := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(own, yaml)
	dir := write(t, map[string]string{"a.py": "def f(): pass\n", "servers.yaml": yaml})
	other := filepath.Join(t.TempDir(), "other.yaml")
	put(other, strings.ReplaceAll(yaml, "name: mine", "name: another"))
	broken := filepath.Join(t.TempDir(), "broken.yaml")
	put(broken, "- name: x\n  colour: red\n")
	link := filepath.Join(t.TempDir(), "link.yaml")
	if err := os.Symlink(filepath.Join(dir, "servers.yaml"), link); err != nil {
		t.Fatal(err)
	}
	into := filepath.Join(dir, "into.yaml")
	if err := os.Symlink(other, into); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		opt  findspot.ServerOptions
		want string // a server that there is
		bad  error
	}{
		{"the user's own", findspot.ServerOptions{}, "mine", nil},
		{"none", findspot.ServerOptions{NoFile: true}, "", nil},
		{"another", findspot.ServerOptions{File: other}, "another", nil},
		{"one that is not there", findspot.ServerOptions{File: filepath.Join(dir, "..", "nowhere.yaml")}, "", os.ErrNotExist},
		{"one that is broken", findspot.ServerOptions{File: broken}, "", findspot.ErrFormat},
		{"one of the repository", findspot.ServerOptions{File: filepath.Join(dir, "servers.yaml")}, "", findspot.ErrUnsupported},
		{"a link to one of the repository", findspot.ServerOptions{File: link}, "", findspot.ErrUnsupported},
		{"a link in the repository", findspot.ServerOptions{File: into}, "", findspot.ErrUnsupported},
		{"a server that is preferred and unknown", findspot.ServerOptions{Prefer: []string{"nobody"}}, "", findspot.ErrNotFound},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ws := withRepos(t, &findspot.Options{Servers: tt.opt}, dir)
			list, err := ws.Servers(t.Context())
			if !errors.Is(err, tt.bad) {
				t.Fatalf("Servers: %v, want %v", err, tt.bad)
			}
			found := ""
			for _, s := range list {
				if s.Name == "mine" || s.Name == "another" {
					found = s.Name
				}
			}
			if found != tt.want {
				t.Errorf("own server %q, want %q", found, tt.want)
			}
		})
	}
	// A repository that holds the user's own file is not obeyed, and the shipped entries stay.
	ws := withRepos(t, nil, config)
	list, err := ws.Servers(t.Context())
	if err != nil || len(list) == 0 {
		t.Fatalf("%d servers, %v", len(list), err)
	}
	for _, s := range list {
		if s.Name == "mine" {
			t.Error("a file of a repository was obeyed")
		}
	}
}

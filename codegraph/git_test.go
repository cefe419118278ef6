package codegraph_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/internal/need"
)

// A gitRepo has the branches main and side, which differ in many files.
type gitRepo struct {
	t    testing.TB
	git  string
	root string
}

func (r *gitRepo) run(args ...string) {
	r.t.Helper()
	cmd := exec.CommandContext(r.t.Context(), r.git, append([]string{"-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "core.autocrlf=false"}, args...)...)
	cmd.Dir = r.root
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GIT_TERMINAL_PROMPT=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		r.t.Fatalf("git %v: %v: %s", args, err, out)
	}
}

const (
	gitFiles   = 420
	gitChanged = 140 // of these
	gitRemoved = 60
	gitAdded   = 90
)

func newGitRepo(t testing.TB) *gitRepo {
	r := &gitRepo{t: t, git: need.Tool(t, "git", "--version"), root: t.TempDir()}
	text := func(i int, name string) *fstest.MapFile {
		return &fstest.MapFile{Data: fmt.Appendf(nil, "package p%d\n\nfunc %s() { F%d() }\n", i%20, name, i+20)}
	}
	files := fstest.MapFS{"go.mod": {Data: []byte("module example.com/m\n")}}
	for i := range gitFiles {
		files[fmt.Sprintf("p%d/f%d.go", i%20, i)] = text(i, fmt.Sprint("F", i))
	}
	write(t, r.root, files)
	r.run("init", "-q", "-b", "main")
	r.run("add", "-A")
	r.run("commit", "-q", "-m", "main")
	r.run("checkout", "-q", "-b", "side")
	side := maps.Clone(files)
	for i := range gitFiles {
		p := fmt.Sprintf("p%d/f%d.go", i%20, i)
		switch {
		case i < gitChanged:
			side[p] = text(i, fmt.Sprint("Side", i))
		case i < gitChanged+gitRemoved:
			if err := os.Remove(filepath.Join(r.root, p)); err != nil {
				t.Fatal(err)
			}
			delete(side, p)
		}
	}
	for i := range gitAdded {
		side[fmt.Sprintf("deep/er/q%d/s%d.go", i%9, i)] = &fstest.MapFile{Data: fmt.Appendf(nil, "package q%d\n\nfunc S%d() { S%d() }\n", i%9, i, i+9)}
	}
	side[".gitignore"] = &fstest.MapFile{Data: []byte("p3/\n")}
	write(t, r.root, side)
	r.run("add", "-A")
	r.run("commit", "-q", "-m", "side")
	r.run("checkout", "-q", "main")
	return r
}

// A watched index follows git from branch to branch.
func TestWatchFollowsGit(t *testing.T) {
	r := newGitRepo(t)
	ix, err := codegraph.Open(t.Context(), t.TempDir(), r.root, langs(), &codegraph.Options{Facts: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	told, ended := make(chan *codegraph.Changes, 10000), make(chan error, 1)
	go func() { ended <- ix.Watch(ctx, func(c *codegraph.Changes) { told <- c }) }()
	for i, step := range [][]string{
		{"checkout", "-q", "side"},
		{"checkout", "-q", "main"},
		{"checkout", "-q", "side"},
		{"checkout", "-q", "main", "--", "p1", "p2"}, // some folders of another branch
		{"reset", "-q", "--hard"},
		{"checkout", "-q", "main"},
		{"merge", "-q", "side"},
		{"mv", "deep/er", "moved"},
		{"stash", "-q"},
		{"stash", "pop", "-q", "--index"},
	} {
		r.run(step...)
		want := dump(build(t, os.DirFS(r.root)))
		for dump(ix.Graph()) != want {
			select {
			case <-told:
			case err := <-ended:
				t.Fatalf("step %d, git %v: Watch = %v", i, step, err)
			}
		}
	}
	// It goes back and forth faster than it can be followed.
	r.run("commit", "-q", "-m", "moved")
	for range 3 {
		r.run("checkout", "-q", "HEAD~2")
		r.run("checkout", "-q", "main")
	}
	r.run("checkout", "-q", "HEAD~2")
	want := dump(build(t, os.DirFS(r.root)))
	for dump(ix.Graph()) != want {
		select {
		case <-told:
		case err := <-ended:
			t.Fatalf("Watch = %v", err)
		}
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("Watch = %v", err)
	}
}

// functions counts those with a name.
func functions(ix *codegraph.Index, name string) int {
	n := 0
	for e := range ix.Graph().Entities() {
		if e.Kind == codegraph.KindFunction && e.Name == name {
			n++
		}
	}
	return n
}

// A worktree of git parses what differs from the repository, and neither answers for the other.
func TestGitWorktree(t *testing.T) {
	r := newGitRepo(t)
	side := filepath.Join(t.TempDir(), "side")
	r.run("worktree", "add", "-q", side, "side")
	facts := t.TempDir()
	fe := counting(nil)
	open := func(root string) *codegraph.Index {
		ix, err := codegraph.Open(t.Context(), t.TempDir(), root, []lang.Frontend{fe}, &codegraph.Options{Facts: facts})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { ix.Close() })
		return ix
	}
	main := open(r.root)
	if n := fe.n.Swap(0); n != gitFiles {
		t.Errorf("%d parsed in the repository", n)
	}
	work := open(side)
	ignored := gitChanged / 20 // those of the folder that the branch ignores
	if n, c := fe.n.Swap(0), work.Changes(); n != gitChanged-int64(ignored)+gitAdded || c.Parsed != int(n) || c.Added != c.Parsed+c.Reused {
		t.Errorf("%d parsed in the worktree: %+v", n, c)
	}
	checkGraph(t, main, r.root)
	checkGraph(t, work, side)
	for name, want := range map[string][2]int{"F0": {1, 0}, "Side0": {0, 1}, "F399": {1, 1}, "F150": {1, 0}, "S1": {0, 1}} {
		if got := [2]int{functions(main, name), functions(work, name)}; got != want {
			t.Errorf("%s is there %d times, want %d", name, got, want)
		}
	}
	// The repository goes to a branch with all of that: nothing is parsed.
	r.run("checkout", "-q", "-b", "other", "side")
	if c, err := main.Update(t.Context()); err != nil || fe.n.Load() != 0 || c.Parsed != 0 {
		t.Errorf("%d parsed after a switch: %+v, %v", fe.n.Load(), c, err)
	}
	checkGraph(t, main, r.root)
	checkGraph(t, work, side)
}

package findspot_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
)

// edges lists all entities and edges of a graph.
func edges(g *codegraph.Graph) []string {
	var out []string
	for e := range g.Entities() {
		out = append(out, fmt.Sprint(e))
	}
	for e := range g.Edges() {
		out = append(out, fmt.Sprint(e))
	}
	return out
}

// fresh builds the graph of a folder from nothing.
func fresh(t *testing.T, dir string) []string {
	t.Helper()
	g, err := codegraph.Build(t.Context(), os.DirFS(dir), findspot.Languages(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return edges(g)
}

// A watched workspace follows what happens in its repositories, as a switch to another branch and back.
func TestWatch(t *testing.T) {
	left := write(t, map[string]string{"a.go": "package a\n\nfunc A() { B() }\n\nfunc B() {}\n", "doomed.go": "package a\n\nfunc D() { A() }\n"})
	right := write(t, map[string]string{"r.py": "def r():\n    pass\n"})
	dir := t.TempDir()
	ws := open(t, dir, nil)
	for _, dir := range []string{left, right} {
		if _, err := ws.AddRepo(t.Context(), dir, nil); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	told, ended := make(chan *findspot.RepoInfo, 1000), make(chan error, 1)
	go func() { ended <- ws.Watch(ctx, func(u *findspot.RepoInfo) { told <- u }) }()
	for _, dir := range []string{left, right} {
		if u := <-told; filepath.Base(u.Root) != filepath.Base(dir) || u.Name != filepath.Base(dir) || u.Changes.Added == 0 || u.Entities == 0 {
			t.Errorf("opening %s tells %+v", dir, u)
		}
	}
	put := func(dir, name, text string) {
		t.Helper()
		p := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o777), os.WriteFile(p, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	branch := func() {
		for i := range 200 {
			put(left, fmt.Sprintf("branch/p%d/f%d.go", i%20, i), fmt.Sprintf("package p\n\nfunc F%d() { F%d() }\n", i, (i+20)%200))
		}
	}
	gone := func(name string) {
		if err := os.RemoveAll(filepath.Join(left, name)); err != nil {
			t.Fatal(err)
		}
	}
	for i, do := range []func(){
		func() { put(left, "a.go", "package a\n\nfunc A() {}\n\nfunc B() { A() }\n") },
		func() { put(left, "new.go", "package a\n\nfunc N() { B() }\n") },
		func() { gone("doomed.go") },
		branch,
		func() { put(left, "branch/p3/f3.go", "package p\n\nfunc F3() { F43() }\n") },
		func() { gone("branch") },
		func() { branch(); put(right, "r.py", "def r():\n    s()\n\n\ndef s():\n    pass\n") },
	} {
		do()
		wantLeft, wantRight := fresh(t, left), fresh(t, right)
		for {
			graphs, err := ws.Graphs(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			gotLeft, gotRight := edges(graphs[0]), edges(graphs[1])
			if slices.Equal(gotLeft, wantLeft) && slices.Equal(gotRight, wantRight) {
				break
			}
			select {
			case u := <-told:
				if u.Changes.Took <= 0 {
					t.Errorf("step %d: an update took no time: %+v", i, u.Changes)
				}
			case err := <-ended:
				t.Fatalf("step %d: Watch = %v; left (-want +got):\n%s\nright:\n%s", i, err, cmp.Diff(wantLeft, gotLeft), cmp.Diff(wantRight, gotRight))
			}
		}
	}

	// Another process reads beside the one that watches.
	beside := open(t, dir, &findspot.Options{NoServers: true, Beside: true})
	info, err := beside.AddRepo(t.Context(), left, nil)
	if err != nil || !info.ReadOnly {
		t.Fatalf("beside the watching workspace: %+v, %v", info, err)
	}
	put(left, "late.go", "package a\n\nfunc LateComer() {}\n")
	for {
		found, _, err := beside.Named(t.Context(), "LateComer")
		if err != nil {
			t.Fatal(err)
		}
		if len(found) == 1 {
			break
		}
		select {
		case <-told:
		case err := <-ended:
			t.Fatalf("Watch = %v before another process saw the last update", err)
		}
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("Watch = %v, want canceled", err)
	}

	started := make(chan bool, 2)
	go func() { ended <- ws.Watch(t.Context(), func(*findspot.RepoInfo) { started <- true }) }()
	<-started
	<-started
	if err := ws.Close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; !errors.Is(err, findspot.ErrClosed) {
		t.Errorf("Watch of a workspace that is closed = %v", err)
	}
	if err := open(t, t.TempDir(), nil).Watch(t.Context(), nil); err == nil {
		t.Error("a workspace without repositories was watched")
	}
}

package codegraph_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/codegraph"
)

func TestUpdateFiles(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	write(t, root, repo())
	ix := open(t, dir, root)
	write(t, root, fstest.MapFS{"main.go": {Data: []byte("package main\n\nfunc main() { other() }\n\nfunc other() {}\n")}})
	for _, step := range []struct {
		do                      func() error
		paths                   []string
		added, changed, removed int
	}{
		{func() error { return nil }, []string{"main.go", "main.go"}, 0, 1, 0},
		{func() error { return os.WriteFile(filepath.Join(root, "new.go"), []byte("package main\n"), 0o666) }, []string{"new.go"}, 1, 0, 0},
		{func() error { return os.Remove(filepath.Join(root, "new.go")) }, []string{"new.go"}, 0, 0, 1},
		{func() error { return os.WriteFile(filepath.Join(root, "main.go"), []byte("package main\x00"), 0o666) }, []string{"main.go"}, 0, 0, 1},
		{func() error { return os.WriteFile(filepath.Join(root, "main.go"), []byte("package main\n"), 0o666) }, []string{"main.go"}, 1, 0, 0},
	} {
		if err := step.do(); err != nil {
			t.Fatal(err)
		}
		c, err := ix.UpdateFiles(t.Context(), step.paths...)
		if err != nil || c.Added != step.added || c.Changed != step.changed || c.Removed != step.removed {
			t.Errorf("UpdateFiles(%v) = %+v, %v", step.paths, c, err)
		}
		fresh := build(t, os.DirFS(root))
		if d := cmp.Diff(dump(fresh), dump(ix.Graph())); d != "" {
			t.Fatalf("after UpdateFiles(%v) (-want +got):\n%s", step.paths, d)
		}
		if d := cmp.Diff(fresh.Skipped(), ix.Graph().Skipped()); d != "" {
			t.Fatalf("skipped after UpdateFiles(%v) (-want +got):\n%s", step.paths, d)
		}
	}
}

// A watched index follows edits, new folders, a switch of many files and a changed .gitignore.
func TestWatch(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	write(t, root, repo())
	ix := open(t, dir, root)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	told, ended := make(chan *codegraph.Changes, 1000), make(chan error, 1)
	go func() { ended <- ix.Watch(ctx, func(c *codegraph.Changes) { told <- c }) }()
	many := fstest.MapFS{}
	for i := range 300 {
		many[fmt.Sprintf("pkg%d/f.go", i%40+i)] = &fstest.MapFile{Data: fmt.Appendf(nil, "package p\n\nfunc F%d() {}\n", i)}
	}
	for i, files := range []fstest.MapFS{
		{"main.go": {Data: []byte("package main\n\nfunc main() {}\n\nfunc other() { main() }\n")}},
		{"deep/er/x.go": {Data: []byte("package x\n\nfunc X() {}\n")}},
		many,
		{".gitignore": {Data: []byte("pkg1*/\n")}},
		{"deep/er/y.go": {Data: []byte("package x\n\nfunc Y() { X() }\n")}},
	} {
		write(t, root, files)
		want := dump(build(t, os.DirFS(root)))
		for dump(ix.Graph()) != want {
			select {
			case <-told:
			case err := <-ended:
				t.Fatalf("step %d: Watch = %v", i, err)
			}
		}
	}

	// Folders that are replaced at once are watched again, those below them too.
	for i, replace := range []func() error{
		func() error { return os.RemoveAll(filepath.Join(root, "deep")) },
		func() error { return os.Rename(filepath.Join(root, "deep"), filepath.Join(root, "moved")) },
	} {
		if err := replace(); err != nil {
			t.Fatal(err)
		}
		for j := range 2 { // written anew, and then edited
			write(t, root, fstest.MapFS{"deep/er/x.go": {Data: fmt.Appendf(nil, "package x\n\nfunc X%d%d() {}\n", i, j)}})
			want := dump(build(t, os.DirFS(root)))
			for dump(ix.Graph()) != want {
				select {
				case <-told:
				case err := <-ended:
					t.Fatalf("folder replaced, way %d, edit %d: Watch = %v", i, j, err)
				}
			}
		}
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("Watch = %v", err)
	}

	go func() { ended <- ix.Watch(t.Context(), nil) }()
	if err := ix.Close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; !errors.Is(err, codegraph.ErrClosed) {
		t.Errorf("Watch of an index that is closed = %v", err)
	}
}

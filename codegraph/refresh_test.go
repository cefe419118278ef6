package codegraph_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/findspot/findspot/codegraph"
)

// TestRefresh makes sure that a watched index shows every change that came before a question, without waiting for the watcher's
// quiet time: edits, new files and folders, removals, a changed .gitignore, and from several goroutines.
func TestRefresh(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	write(t, root, repo())
	ix := open(t, dir, root)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- ix.Watch(ctx, nil) }()
	put := func(name, text string) {
		t.Helper()
		p := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o777), os.WriteFile(p, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	has := func(id string, want bool) {
		t.Helper()
		if err := ix.Refresh(ctx); err != nil {
			t.Fatal(err)
		}
		if _, ok := ix.Graph().Entity(id); ok != want {
			t.Errorf("entity %s is there: %v, want %v", id, ok, want)
		}
	}
	for i := range 20 {
		put("edited.go", fmt.Sprintf("package main\n\nfunc E%d() {}\n", i))
		has(fmt.Sprintf("edited.go:E%d", i), true)
		put(fmt.Sprintf("d%d/er/new.go", i), "package er\n\nfunc N() {}\n")
		has(fmt.Sprintf("d%d/er/new.go:N", i), true)
	}
	if err := os.RemoveAll(filepath.Join(root, "d3")); err != nil {
		t.Fatal(err)
	}
	has("d3/er/new.go:N", false)
	put(".gitignore", "d4/\n")
	has("d4/er/new.go:N", false)
	var wg sync.WaitGroup
	for g := range 16 { // those that come at once share what they wait for
		wg.Go(func() {
			for i := range 10 {
				name := fmt.Sprintf("par%d.go", g)
				if err := os.WriteFile(filepath.Join(root, name), fmt.Appendf(nil, "package main\n\nfunc P%dx%d() {}\n", g, i), 0o666); err != nil {
					t.Error(err)
				}
				if err := ix.Refresh(ctx); err != nil {
					t.Error(err)
				}
				if id := fmt.Sprintf("%s:P%dx%d", name, g, i); len(ix.Graph().Named(id)) == 0 {
					t.Errorf("%s is not seen", id)
				}
			}
		})
	}
	for range 4 { // who gives up takes nothing from the others
		wg.Go(func() {
			for i := range 20 {
				hasty, cancel := context.WithTimeout(ctx, time.Duration(i)*100*time.Microsecond)
				if err := ix.Refresh(hasty); err != nil && !errors.Is(err, context.DeadlineExceeded) {
					t.Error(err)
				}
				cancel()
			}
		})
	}
	wg.Wait()
	if err := os.RemoveAll(filepath.Join(dir, "seen")); err != nil { // marks can be made no more
		t.Fatal(err)
	}
	put("last.go", "package main\n\nfunc Last() {}\n")
	has("last.go:Last", true)
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("Watch = %v", err)
	}
	put("after.go", "package main\n\nfunc After() {}\n")
	if err := ix.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, ok := ix.Graph().Entity("after.go:After"); !ok {
		t.Error("nobody watches, and a change is not seen")
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	if err := ix.Refresh(t.Context()); !errors.Is(err, codegraph.ErrClosed) {
		t.Errorf("Refresh of a closed index = %v, want ErrClosed", err)
	}
}

func BenchmarkRefresh(b *testing.B) {
	root, dir := b.TempDir(), b.TempDir()
	for i := range 2000 {
		p := filepath.Join(root, fmt.Sprintf("p%d/f%d.go", i%200, i))
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o777), os.WriteFile(p, fmt.Appendf(nil, "package p\n\nfunc F%d() {}\n", i), 0o666)); err != nil {
			b.Fatal(err)
		}
	}
	ix := open(b, dir, root)
	b.Run("looks", func(b *testing.B) {
		for b.Loop() {
			if err := ix.Refresh(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
	ctx, cancel := context.WithCancel(b.Context())
	ended := make(chan error, 1)
	go func() { ended <- ix.Watch(ctx, nil) }()
	b.Run("watched", func(b *testing.B) {
		for b.Loop() {
			if err := ix.Refresh(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
	cancel()
	<-ended
}

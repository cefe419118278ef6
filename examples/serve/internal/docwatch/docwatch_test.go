package docwatch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/findspot/findspot/internal/leak"
)

func TestMain(m *testing.M) { os.Exit(leak.Main(m.Run)) }

// start watches root and returns what is sent for each update, and whether the system tells.
func start(t *testing.T, root string, o Options, update func() error) (updates chan struct{}, told *atomic.Bool) {
	t.Helper()
	updates, told = make(chan struct{}, 1000), new(atomic.Bool)
	if o.Quiet == 0 {
		o.Quiet = 20 * time.Millisecond
	}
	o.Told = told.Store
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- Watch(ctx, root, &o, func(context.Context) error {
			updates <- struct{}{}
			if update != nil {
				return update()
			}
			return nil
		})
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("Watch = %v", err)
		}
	})
	await(t, updates, "the first update")
	return updates, told
}

func await(t *testing.T, updates chan struct{}, what string) {
	t.Helper()
	select {
	case <-updates:
	case <-time.After(20 * time.Second):
		t.Fatalf("%s: nothing is told", what)
	}
}

// settle waits until nothing is told any more.
func settle(updates chan struct{}) {
	for {
		select {
		case <-updates:
		case <-time.After(200 * time.Millisecond):
			return
		}
	}
}

func write(t *testing.T, path string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(time.Now().String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestWatch(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "sub", "a.md"))
	updates, told := start(t, dir, Options{Poll: time.Hour}, nil)
	if !told.Load() {
		t.Skip("the system tells nothing here")
	}
	for _, step := range []struct {
		name string
		do   func()
		told bool
	}{
		{"a new file", func() { write(t, filepath.Join(dir, "b.md")) }, true},
		{"a changed file below", func() { write(t, filepath.Join(dir, "sub", "a.md")) }, true},
		{"a new folder", func() { write(t, filepath.Join(dir, "new", "deep", "c.md")) }, true},
		{"a changed file in the new folder", func() { write(t, filepath.Join(dir, "new", "deep", "c.md")) }, true},
		{"a removed file", func() { os.Remove(filepath.Join(dir, "b.md")) }, true},
		{"a moved folder", func() { os.Rename(filepath.Join(dir, "new"), filepath.Join(dir, "moved")) }, true},
		{"a changed file in the moved folder", func() { write(t, filepath.Join(dir, "moved", "deep", "c.md")) }, true},
		{"a removed folder", func() { os.RemoveAll(filepath.Join(dir, "moved")) }, true},
		{"a hidden file", func() { write(t, filepath.Join(dir, ".x")) }, false},
		{"a file in a hidden folder", func() { write(t, filepath.Join(dir, ".git", "x.md")) }, false},
	} {
		settle(updates)
		step.do()
		if step.told {
			await(t, updates, step.name)
			continue
		}
		select {
		case <-updates:
			t.Errorf("%s is told", step.name)
		case <-time.After(300 * time.Millisecond):
		}
	}
}

// TestBurst: many changes are few updates, and changes that do not end do not keep the update waiting for ever.
func TestBurst(t *testing.T) {
	dir := t.TempDir()
	updates, told := start(t, dir, Options{Poll: time.Hour, Quiet: 100 * time.Millisecond, Most: 400 * time.Millisecond}, nil)
	if !told.Load() {
		t.Skip("the system tells nothing here")
	}
	n := 0
	for until := time.Now().Add(2 * time.Second); time.Now().Before(until); time.Sleep(5 * time.Millisecond) {
		write(t, filepath.Join(dir, "a.md"))
		select {
		case <-updates:
			n++
		default:
		}
	}
	if n < 2 || n > 15 {
		t.Errorf("%d updates in 2 s", n)
	}
}

// TestPolled: where there are more folders than may be watched, or the folder is not there, documents are looked for from time to time.
func TestPolled(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		write(t, filepath.Join(dir, name, "x.md"))
	}
	updates, told := start(t, dir, Options{Poll: 50 * time.Millisecond, Folders: 2}, nil)
	if told.Load() {
		t.Error("more folders are watched than may be")
	}
	for range 3 {
		await(t, updates, "a look")
	}
	late := filepath.Join(dir, "late")
	updates, told = start(t, late, Options{Poll: 20 * time.Millisecond}, nil)
	write(t, filepath.Join(late, "x.md"))
	for until := time.Now().Add(20 * time.Second); !told.Load(); {
		await(t, updates, "a look")
		if time.Now().After(until) {
			t.Fatal("a folder that came is not watched")
		}
	}
}

// TestFails: an update that fails is tried again.
func TestFails(t *testing.T) {
	n := 0
	updates, _ := start(t, t.TempDir(), Options{Poll: 20 * time.Millisecond}, func() error {
		if n++; n < 3 {
			return errors.New("busy")
		}
		return nil
	})
	await(t, updates, "the second try")
	await(t, updates, "the third try")
}

// TestSingle: a root that is a file.
func TestSingle(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.md")
	write(t, file)
	updates, told := start(t, file, Options{Poll: time.Hour}, nil)
	if !told.Load() {
		t.Skip("the system tells nothing here")
	}
	settle(updates)
	write(t, filepath.Join(dir, "b.md"))
	select {
	case <-updates:
		t.Error("another file is told")
	case <-time.After(300 * time.Millisecond):
	}
	write(t, file)
	await(t, updates, "a change")
	settle(updates)
	if err := os.WriteFile(file+".tmp", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file+".tmp", file); err != nil {
		t.Fatal(err)
	}
	await(t, updates, "an exchange")
}

package rootfs

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/findspot/findspot/internal/errs"
)

// folder makes a folder with a secret beside it.
func folder(t *testing.T) (root, outside string) {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root, outside = filepath.Join(base, "repo"), filepath.Join(base, "outside")
	for _, d := range []string{filepath.Join(root, "sub", "deep"), outside, root + "-twin"} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		filepath.Join(root, "a.txt"): "inside\n", filepath.Join(root, "sub", "deep", "b.txt"): "deep\n",
		filepath.Join(outside, "secret.txt"): "SECRET\n", filepath.Join(root+"-twin", "secret.txt"): "SECRET\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root, outside
}

func link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Skipf("symbolic links cannot be made here: %v", err)
	}
}

func TestLinks(t *testing.T) {
	root, outside := folder(t)
	for _, tt := range []struct {
		name, at, target string
		open             string // "": at
		want             string // content; "" is refused
	}{
		{name: "inside", at: "in.txt", target: "a.txt", want: "inside\n"},
		{name: "inside, from a folder", at: "sub/up.txt", target: "../a.txt", want: "inside\n"},
		{name: "inside, absolute", at: "abs.txt", target: filepath.Join(root, "a.txt"), want: "inside\n"},
		{name: "a folder inside", at: "way", target: "sub/deep", open: "way/b.txt", want: "deep\n"},
		{name: "through a link and back", at: "sub/loopback", target: "../sub/deep/../../a.txt", want: "inside\n"},
		{name: "outside, relative", at: "out.txt", target: "../outside/secret.txt"},
		{name: "outside, absolute", at: "outabs.txt", target: filepath.Join(outside, "secret.txt")},
		{name: "out and in again", at: "round.txt", target: "../repo/a.txt"},
		{name: "a folder whose name begins alike", at: "twin.txt", target: "../repo-twin/secret.txt"},
		{name: "absolute, out by dots", at: "dots.txt", target: filepath.Join(root, "sub") + "/../../outside/secret.txt"},
		{name: "a folder outside", at: "gone", target: outside, open: "gone/secret.txt"},
		{name: "the system's passwords", at: "pw.txt", target: "/etc/passwd"},
		{name: "the process's environment", at: "env.txt", target: "/proc/self/environ"},
		{name: "an open file of the process", at: "fd.txt", target: "/proc/self/fd/0"},
		{name: "the process's folder", at: "cwd", target: "/proc/self/cwd", open: "cwd/dir.go"},
		{name: "the root of the process", at: "top", target: "/proc/self/root", open: "top/etc/passwd"},
		{name: "the terminal", at: "tty.txt", target: "/dev/tty"},
		{name: "an endless device", at: "zero.txt", target: "/dev/zero"},
		{name: "itself", at: "self.txt", target: "self.txt"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			link(t, tt.target, filepath.Join(root, tt.at))
			open := tt.open
			if open == "" {
				open = tt.at
			}
			data, err := New(root).Read(t.Context(), open, 1<<20)
			if string(data) != tt.want || (err == nil) != (tt.want != "") {
				t.Errorf("Read(%s) = %q, %v, want %q", open, data, err, tt.want)
			}
			if tt.want == "" && !errors.Is(err, errs.Refused) {
				t.Errorf("Read(%s): %v, want an error wrapping Refused", open, err)
			}
			f, err := New(root).Open(open)
			if (err == nil) != (tt.want != "") {
				t.Errorf("Open(%s): %v", open, err)
			}
			if err == nil {
				f.Close()
			}
		})
	}
}

func TestNames(t *testing.T) {
	root, outside := folder(t)
	for _, name := range []string{"../outside/secret.txt", filepath.Join(outside, "secret.txt"), "", "/a.txt", "sub/../a.txt", "./a.txt", "sub//deep/b.txt",
		"a.txt/", "a.txt\x00.md", "..", "sub/../../outside/secret.txt"} {
		if data, err := New(root).Read(t.Context(), name, 1<<20); err == nil {
			t.Errorf("Read(%q) = %q, want an error", name, data)
		}
	}
	if _, err := New(root).Read(t.Context(), "sub", 10); !errors.Is(err, errs.Refused) {
		t.Errorf("Read of a folder: %v", err)
	}
	if head, err := New(root).Read(t.Context(), "a.txt", 3); !errors.Is(err, errs.TooLarge) || len(head) != 3 {
		t.Errorf("Read over the limit: %q, %v", head, err)
	}
	if _, err := New(root).Read(t.Context(), "none.txt", 3); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Read of nothing: %v", err)
	}
}

// TestKinds: nothing but regular files is opened, and nothing waits.
func TestKinds(t *testing.T) {
	root, _ := folder(t)
	makeOdd(t, root)
	for _, name := range []string{"pipe", "link-to-pipe", "socket", "null", "sub/pipe"} {
		if _, err := os.Lstat(filepath.Join(root, name)); err != nil {
			continue // devices need rights that not everybody has
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		_, err := New(root).Read(ctx, name, 100)
		if !errors.Is(err, errs.Refused) || ctx.Err() != nil {
			t.Errorf("Read(%s): %v, want an error wrapping Refused at once", name, err)
		}
		cancel()
		if _, err := Open(filepath.Join(root, name)); !errors.Is(err, errs.Refused) {
			t.Errorf("Open(%s): %v, want an error wrapping Refused", name, err)
		}
	}
}

// TestReplaced: a root that became a link is not followed.
func TestReplaced(t *testing.T) {
	root, outside := folder(t)
	d := New(root)
	if err := os.Rename(root, root+"-moved"); err != nil {
		t.Fatal(err)
	}
	link(t, outside, root)
	if data, err := d.Read(t.Context(), "secret.txt", 100); !errors.Is(err, errs.Refused) {
		t.Errorf("Read = %q, %v, want an error wrapping Refused", data, err)
	}
}

// TestRace: while a folder changes into a link and back, no content from outside is ever read.
func TestRace(t *testing.T) {
	root, outside := folder(t)
	if err := os.WriteFile(filepath.Join(outside, "b.txt"), []byte("SECRET\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	dir, aside := filepath.Join(root, "sub", "deep"), filepath.Join(root, "sub", "aside")
	link(t, outside, filepath.Join(root, "sub", "evil"))
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
			}
			os.Rename(dir, aside)
			os.Rename(filepath.Join(root, "sub", "evil"), dir)
			os.Rename(dir, filepath.Join(root, "sub", "evil"))
			os.Rename(aside, dir)
		}
	}()
	d, read := New(root), 0
	for range 3000 {
		data, err := d.Read(t.Context(), "sub/deep/b.txt", 100)
		if strings.Contains(string(data), "SECRET") {
			t.Fatal("content from outside was read")
		}
		if err == nil {
			read++
		}
	}
	close(stop)
	<-done
	if read == 0 {
		t.Error("nothing was read at all")
	}
}

// TestDeadline: a read ends with its context also when nothing answers.
func TestDeadline(t *testing.T) {
	root, _ := folder(t)
	d := New(root)
	for range maxReads {
		d.reads <- struct{}{} // as if all reads hung
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := d.Read(ctx, "a.txt", 100); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Read = %v, want the context's end", err)
	}
}

func TestFS(t *testing.T) {
	root, _ := folder(t)
	if err := fstest.TestFS(New(root), "a.txt", "sub/deep/b.txt"); err != nil {
		t.Error(err)
	}
}

func makeSocket(t *testing.T, name string) {
	t.Helper()
	l, err := net.Listen("unix", name)
	if err != nil {
		t.Logf("no socket: %v", err)
		return
	}
	t.Cleanup(func() { l.Close() })
}

// A file that is replaced all the time, as programs write files, can be read all the time.
func TestReadWhileReplaced(t *testing.T) {
	root := t.TempDir()
	write := func() {
		if err := os.WriteFile(filepath.Join(root, "new"), []byte("text"), 0o666); err != nil {
			t.Error(err)
		}
		if err := os.Rename(filepath.Join(root, "new"), filepath.Join(root, "a.txt")); err != nil {
			t.Error(err)
		}
	}
	write()
	ctx, cancel := context.WithCancel(t.Context())
	var writing sync.WaitGroup
	writing.Go(func() {
		for ctx.Err() == nil {
			write()
		}
	})
	d := New(root)
	for range 20_000 {
		if data, err := d.Read(t.Context(), "a.txt", 10); err != nil || string(data) != "text" {
			t.Errorf("%q, %v", data, err)
			break
		}
	}
	cancel()
	writing.Wait()
}

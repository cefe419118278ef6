package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// names lists a folder.
func names(t *testing.T, f *Folder) []string {
	t.Helper()
	list, err := f.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, d := range list {
		out = append(out, d.Name())
	}
	return out
}

func content(t *testing.T, f *Folder, name string) string {
	t.Helper()
	data, err := f.ReadFile(name, 100)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A file is replaced while others read it: they keep what they opened.
func TestWriteOverOpenFile(t *testing.T) {
	dir, err := OpenFolder(t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	var open []*os.File
	for _, text := range []string{"a", "b", "c", "d"} {
		if err := dir.WriteFile("f", []byte(text)); err != nil {
			t.Fatalf("write of %s: %v", text, err)
		}
		f, err := dir.Open("f")
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, f)
	}
	for i, f := range open {
		data, err := io.ReadAll(f)
		if want := string(rune('a' + i)); err != nil || string(data) != want {
			t.Errorf("the reader of %s reads %q, %v", want, data, err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	if got := content(t, dir, "f"); got != "d" {
		t.Errorf("content = %q, want d", got)
	}
	lock, err := dir.Lock(0)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	if got := names(t, dir); len(got) != 2 || got[0] != lockName || got[1] != "f" {
		t.Errorf("left behind: %q", got)
	}
}

// What stands in the folder after a crash at each step of setting aside, and what is then read.
func TestSetAside(t *testing.T) {
	defer func(was bool) { setsAside = was }(setsAside)
	setsAside = true
	for _, tt := range []struct {
		name string
		have map[string]string
		want string // "": no such file
	}{
		{"nothing", map[string]string{"g.old1": "x", "f.older1": "x", "f.old": "x", "f.old1x": "x", "f.old-1": "x"}, ""},
		{"before", map[string]string{"f": "old", "f.tmp1": "new"}, "old"},
		{"between", map[string]string{"f.old9": "older", "f.old10": "old", "f.tmp1": "new"}, "old"},
		{"after", map[string]string{"f": "new", "f.old1": "old"}, "new"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := t.TempDir()
			for name, text := range tt.have {
				if err := os.WriteFile(filepath.Join(path, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			dir, err := OpenFolder(path, false)
			if err != nil {
				t.Fatal(err)
			}
			defer dir.Close()
			check := func(when string) {
				t.Helper()
				data, err := dir.ReadFile("f", 10)
				if string(data) != tt.want || (err != nil) != (tt.want == "") || err != nil && !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("read %s = %q, %v; want %q", when, data, err, tt.want)
				}
			}
			check("by a reader")
			lock, err := dir.Lock(0)
			if err != nil {
				t.Fatal(err)
			}
			defer lock.Unlock()
			check("by a writer")
			if old, err := asides(dir.root, "f"); err != nil || len(old) > 0 {
				t.Errorf("left aside: %q, %v", old, err)
			}
			if tt.want == "" {
				return
			}
			if err := dir.WriteFile("n", []byte("newest")); err != nil {
				t.Fatal(err)
			}
			if err := setAside(dir.root, "n", "f"); err != nil {
				t.Fatal(err)
			}
			if got := content(t, dir, "f"); got != "newest" {
				t.Errorf("after setting aside: %q", got)
			}
		})
	}
}

// What cannot be replaced stays as it was.
func TestReplaceFails(t *testing.T) {
	dir, err := OpenFolder(t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	if err := dir.WriteFile("f", []byte("old")); err != nil {
		t.Fatal(err)
	}
	if err := setAside(dir.root, "missing", "f"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("setAside = %v", err)
	}
	if got := content(t, dir, "f"); got != "old" {
		t.Errorf("content = %q, want old", got)
	}
	if runtime.GOOS == "windows" { // a file opened without delete sharing is in the way, and the error says so after a while
		f, err := os.Open(filepath.Join(dir.path, "f"))
		if err != nil {
			t.Fatal(err)
		}
		if err := dir.WriteFile("f", []byte("new")); !busy(err) {
			t.Errorf("WriteFile over a file in use = %v", err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		if err := dir.WriteFile("f", []byte("new")); err != nil {
			t.Errorf("WriteFile after it was closed: %v", err)
		}
	}
}

package docsearch_test

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/findspot/findspot/docsearch"
)

// One file may have several paths, and a library may have been made on another system: it is the same document. Another file is another document.
func TestOrigins(t *testing.T) {
	here := t.TempDir()
	papers, beside := filepath.Join(here, "papers"), filepath.Join(here, "beside")
	foreign, relative := `Z:\papers\a.txt`, `Z:papers\a.txt`
	if runtime.GOOS == "windows" {
		foreign, relative = "/papers/a.txt", "papers/a.txt"
	}
	old := time.Now().Add(-time.Hour)
	for _, dir := range []string{papers, beside} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, "a.txt")
		if err := os.WriteFile(file, []byte("a paper\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, old, old); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(papers, "a.txt")
	second := filepath.Join(here, "second.txt")
	if err := os.Link(file, second); err != nil {
		t.Fatal(err)
	}
	source := func(origin string, mod time.Time) docsearch.Source {
		s := docsearch.Bytes("a.txt", []byte("a paper\n"))
		s.Origin, s.ModTime = origin, mod
		if filepath.IsAbs(origin) {
			s.Open = func() (io.ReadCloser, error) { return os.Open(origin) }
		}
		return s
	}
	for _, tt := range []struct {
		name       string
		have       docsearch.Source
		want       docsearch.Change
		wantOrigin string
	}{
		{"the same path", source(file, old), docsearch.Unchanged, file},
		{"the same file under another path", source(second, old), docsearch.Unchanged, second},
		{"another file with the same content", source(filepath.Join(beside, "a.txt"), old), docsearch.Added, file},
		{"a file of another system", source(foreign, old), docsearch.Replaced, file},
		{"a name like a path of another system", source(foreign, time.Time{}), docsearch.Added, file},
		{"a name like a relative path", source(relative, old), docsearch.Added, file},
	} {
		t.Run(tt.name, func(t *testing.T) {
			lib := open(t, nil)
			if _, err := lib.Add(t.Context(), tt.have); err != nil {
				t.Fatal(err)
			}
			d, err := lib.Add(t.Context(), source(file, old))
			if err != nil || d.Change != tt.want || d.Origin != tt.wantOrigin {
				t.Errorf("Add = %+v, %v, want %s from %s", d, err, tt.want, tt.wantOrigin)
			}
		})
	}
}

package env

import (
	"os"
	"path/filepath"
	"testing"
)

func here(dir string) *Env {
	return &Env{Dir: dir, Getenv: func(string) string { return "" }}
}

// A message shows a path as the user wrote it, and no other one.
func TestSaid(t *testing.T) {
	dir := filepath.FromSlash("/w/x")
	for _, tt := range []struct{ written, text, want string }{
		{"papers", "/w/x/papers/a.pdf: damaged", "papers/a.pdf: damaged"},
		{"papers", "open /w/x/papers: no such file", "open papers: no such file"},
		{"papers", "/w/x/papers2: no such file", "/w/x/papers2: no such file"},
		{"papers", "/v/w/x/papers: no such file", "/v/w/x/papers: no such file"},
		{"papers", "there is no /w/x/papers.", "there is no papers."},
		{"papers", "/w/x/papers.old", "/w/x/papers.old"},
		{"papers/", "/w/x/papers/a", "papers/a"},
		{"../y", "/w/y/a", "../y/a"},
		{".", "/w/x: locked", "/w/x: locked"},
		{".", "/w/x/b: locked", "/w/x/b: locked"},
	} {
		e := here(dir)
		e.Path(filepath.FromSlash(tt.written))
		if got := e.Said(filepath.FromSlash(tt.text)); got != filepath.FromSlash(tt.want) {
			t.Errorf("written %q: Said(%q) = %q, want %q", tt.written, tt.text, got, tt.want)
		}
	}
}

// A program is looked for in the PATH of the command's process.
func TestLookPath(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "tool"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	e := here("/")
	e.Served = true
	if got, err := e.LookPath("tool"); err == nil {
		t.Errorf("found without a PATH: %s", got)
	}
	e.Getenv = func(name string) string {
		return map[string]string{"PATH": "/nowhere" + string(os.PathListSeparator) + dir}[name]
	}
	if got, err := e.LookPath("tool"); err != nil || got != filepath.Join(dir, "tool") {
		t.Errorf("LookPath = %q, %v", got, err)
	}
}

package need

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRequired(t *testing.T) {
	for _, tt := range []struct {
		list, name string
		want       bool
	}{
		{"", "gopls", false},
		{"gopls", "gopls", true},
		{"gopls, pyright,shared", "pyright", true},
		{"pyright", "pyright-langserver", true},
		{"pyright-langserver", "pyright", false},
		{"go", "gopls", false},
		{",,", "", false},
	} {
		if got := required(tt.list, tt.name); got != tt.want {
			t.Errorf("required(%q, %q) = %v, want %v", tt.list, tt.name, got, tt.want)
		}
	}
}

func TestFindTool(t *testing.T) {
	dir := t.TempDir()
	for name, script := range map[string]string{
		"works": "#!/bin/sh\necho >>" + dir + "/log\n",
		"shim":  "#!/bin/sh\necho 'works is not installed' >&2\nexit 1\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))

	for range 2 {
		if got, err := findTool("works", []string{"version"}); err != nil || got != filepath.Join(dir, "works") {
			t.Errorf("findTool(works) = %q, %v, want the program in %s", got, err, dir)
		}
	}
	if log, err := os.ReadFile(filepath.Join(dir, "log")); err != nil || len(log) != 1 {
		t.Errorf("the probe ran %d times, %v, want once", len(log), err)
	}
	if _, err := findTool("shim", nil); err != nil {
		t.Errorf("findTool(shim) without a probe: %v, want no error", err)
	}
	_, err := findTool("shim", []string{"version"})
	if err == nil || !strings.Contains(err.Error(), "works is not installed") {
		t.Errorf("findTool(shim, version) = %v, want an error with the shim's own words", err)
	}
	if _, err := findTool("findspot-no-such-tool", nil); err == nil {
		t.Error("findTool of a program that is not there: no error")
	}
}

func TestFindShared(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("FINDSPOT_SHARED", dir)
	if got, err := findShared(nil); err != nil || got != dir {
		t.Errorf("findShared() = %q, %v, want %q", got, err, dir)
	}
	_, err := findShared([]string{"pdf", "corpus"})
	if err == nil || !strings.HasPrefix(err.Error(), "shared data not found: set FINDSPOT_SHARED") {
		t.Errorf("findShared(pdf, corpus) = %v, want the way out", err)
	}

	// Without the variable it is the folder beside the module root, seen from any folder of the module.
	parent := t.TempDir()
	inside := filepath.Join(parent, "module", "a", "b")
	for _, d := range []string{inside, filepath.Join(parent, "shared", "pdf")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(parent, "module", "go.mod"), []byte("module m\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("FINDSPOT_SHARED", "")
	t.Chdir(inside)
	got, err := findShared([]string{"pdf"})
	if err != nil || !strings.HasSuffix(got, filepath.Join("shared", "pdf")) {
		t.Errorf("findShared(pdf) = %q, %v, want the folder beside the module", got, err)
	}
}

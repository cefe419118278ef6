package project

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/findspot/findspot/lspclient/serverspec"
)

func TestOpenDatabase(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	root := t.TempDir()
	rule := serverspec.DatabaseRule{Files: []string{"compile_commands.json", "*/compile_commands.json"}, Arg: "--dir={dir}", Missing: "none"}
	d, err := OpenDatabase(rule, "x", root)
	if err != nil {
		t.Fatal(err)
	}
	if d.Lack() != "none" || !d.Unknown() || d.Knows(filepath.Join(root, "a.c")) {
		t.Errorf("without a database: lack %q, unknown %v", d.Lack(), d.Unknown())
	}
	writeAll(t, root, map[string]string{"out/compile_commands.json": `[{"directory":"` + filepath.ToSlash(filepath.Join(root, "out")) + `","file":"../a.c"}]`})
	if d, err = OpenDatabase(rule, "x", root); err != nil {
		t.Fatal(err)
	}
	if d.Lack() != "" || !d.Knows(filepath.Join(root, "a.c")) || !d.Knows(filepath.Join(root, "a.h")) || d.Knows(filepath.Join(root, "b.c")) {
		t.Errorf("the database lists %v, lack %q", d.Files, d.Lack())
	}
	if _, err := os.Stat(filepath.Join(d.dir, "compile_commands.json")); err != nil {
		t.Error(err)
	}
	// A link out of the folder is no database of it, and the copy of the old one goes.
	outside := filepath.Join(t.TempDir(), "compile_commands.json")
	if err := os.Rename(filepath.Join(root, "out", "compile_commands.json"), outside); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(root, "compile_commands.json")); err != nil {
		t.Skip(err)
	}
	if d, err = OpenDatabase(rule, "x", root); err != nil {
		t.Fatal(err)
	}
	if !d.Unknown() {
		t.Errorf("a link out of the repository was followed: %v", d.Files)
	}
	if _, err := os.Stat(filepath.Join(d.dir, "compile_commands.json")); err == nil {
		t.Error("the copy outlives the database")
	}
}

func writeAll(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

package lspclient

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/findspot/findspot/lspclient/internal/registry"
)

func TestModulePattern(t *testing.T) {
	for _, tt := range []struct {
		file, text string
		want       bool
	}{
		{"/r/lib/express.js", `require('./lib/express')`, true},
		{"/r/lib/express.js", `import x from "../lib/express.js"`, true},
		{"/r/lib/express.js", "import(`express`)", true},
		{"/r/lib/express.js", `require('./lib/expressive')`, false},
		{"/r/lib/express.js", `require('..')`, false},
		{"/r/lib/index.ts", `from '..'`, true},
		{"/r/lib/index.ts", `from "./"`, true},
		{"/r/lib/index.ts", `from "../lib/index.js"`, true},
		{"/r/lib/index.ts", `from "../lib"`, true},
		{"/r/lib/index.ts", `from "../library"`, false},
		{"/r/types/a.d.ts", `from "./a"`, true},
	} {
		if got := modulePattern(moduleWord(tt.file)).MatchString(tt.text); got != tt.want {
			t.Errorf("%s is named by %s: %v, want %v", tt.file, tt.text, got, tt.want)
		}
	}
}

func TestOpenDatabase(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	root := t.TempDir()
	rule := registry.DatabaseRule{Files: []string{"compile_commands.json", "*/compile_commands.json"}, Arg: "--dir={dir}", Missing: "none"}
	d, err := openDatabase(rule, "x", root)
	if err != nil {
		t.Fatal(err)
	}
	if d.lack() != "none" || !d.unknown() || d.knows(filepath.Join(root, "a.c")) {
		t.Errorf("without a database: lack %q, unknown %v", d.lack(), d.unknown())
	}
	writeFiles(t, root, map[string]string{"out/compile_commands.json": `[{"directory":"` + filepath.ToSlash(filepath.Join(root, "out")) + `","file":"../a.c"}]`})
	if d, err = openDatabase(rule, "x", root); err != nil {
		t.Fatal(err)
	}
	if d.lack() != "" || !d.knows(filepath.Join(root, "a.c")) || !d.knows(filepath.Join(root, "a.h")) || d.knows(filepath.Join(root, "b.c")) {
		t.Errorf("the database lists %v, lack %q", d.files, d.lack())
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
	if d, err = openDatabase(rule, "x", root); err != nil {
		t.Fatal(err)
	}
	if !d.unknown() {
		t.Errorf("a link out of the repository was followed: %v", d.files)
	}
	if _, err := os.Stat(filepath.Join(d.dir, "compile_commands.json")); err == nil {
		t.Error("the copy outlives the database")
	}
}

package walk

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func list(t *testing.T, fsys fs.FS, o Options) (files, skipped []string) {
	t.Helper()
	o.Skip = func(p, reason string, _ bool) { skipped = append(skipped, p+": "+reason) }
	err := Files(t.Context(), fsys, o, func(p string, d fs.DirEntry) error {
		files = append(files, p)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files, skipped
}

func TestFiles(t *testing.T) {
	f := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	fsys := fstest.MapFS{
		".gitignore": f("build/\n*.log\n!keep.log\n"), "a.py": f(""), "x.log": f(""), "keep.log": f(""),
		"build/out.py": f(""), "sub/.gitignore": f("\ufefflocal.py\n"), "sub/local.py": f(""), "sub/b.py": f(""),
		"local.py": f(""), "node_modules/m/i.js": f(""), ".git/config": f(""), "env/pyvenv.cfg": f(""), "env/lib.py": f(""),
	}
	files, skipped := list(t, fsys, Options{Ignore: []string{"*.toml"}})
	want := []string{".gitignore", "a.py", "keep.log", "local.py", "sub/.gitignore", "sub/b.py"}
	if diff := cmp.Diff(want, files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"env: a virtual environment"}, skipped); diff != "" {
		t.Errorf("skipped (-want +got):\n%s", diff)
	}
}

func TestLinksAreNotFollowed(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(out, "secret.py"), []byte("x = 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(out, filepath.Join(dir, "link")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	files, skipped := list(t, os.DirFS(dir), Options{})
	if len(files) != 0 {
		t.Errorf("files behind a link: %v", files)
	}
	if diff := cmp.Diff([]string{"link: not a regular file"}, skipped); diff != "" {
		t.Errorf("skipped (-want +got):\n%s", diff)
	}
}

// Of the patterns in force the nearest text with one for a file decides, and the patterns of a folder are compiled once, however many
// folders below it have their own.
func TestRulesOfFolders(t *testing.T) {
	f := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	fsys := fstest.MapFS{
		".gitignore": f("*.log\n/top.py\n"), "top.py": f(""), "a.log": f(""),
		"one/.gitignore": f("!*.log\n*.txt\n"), "one/b.log": f(""), "one/top.py": f(""), "one/c.txt": f(""),
		"one/in/.gitignore": f("d.log\n!c.txt\nout/\n"), "one/in/d.log": f(""), "one/in/e.log": f(""), "one/in/c.txt": f(""),
		"one/in/out/x.py": f(""), "two/c.txt": f(""), "two/b.log": f(""), "two/out/x.py": f(""),
	}
	files, _ := list(t, fsys, Options{Keep: func(p string, d fs.DirEntry) bool { return d.Name() != ".gitignore" }})
	want := []string{"one/b.log", "one/in/c.txt", "one/in/e.log", "one/top.py", "two/c.txt", "two/out/x.py"}
	if diff := cmp.Diff(want, files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	up := given([]string{"*.o", "*.a"})
	below := up.with("sub", []byte("*.x\n"))
	if !below.match("sub/y.o", false) || below.match("sub/y.c", false) || !below.match("sub/y.x", false) {
		t.Error("the patterns of a folder and of those above it are not both in force")
	}
	if up.match("sub/y.x", false) {
		t.Error("the patterns of a folder are in force above it")
	}
}

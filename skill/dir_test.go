package skill

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestDir: a folder of skills is read, and a link does not lead out of it.
func TestDir(t *testing.T) {
	top := t.TempDir()
	root, outside := filepath.Join(top, "skills"), filepath.Join(top, "outside")
	for name, text := range map[string]string{
		filepath.Join(root, "good", "SKILL.md"): "---\nname: good\ndescription: A skill that is read.\n---\nDo it.\n",
		filepath.Join(outside, "note.txt"):      "secret",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(root, "good", "templates")); err != nil {
		t.Skip("no links here:", err)
	}
	fsys, err := Dir(root)
	if err != nil {
		t.Fatal(err)
	}
	if skills, err := Load(fsys); err != nil || len(skills) != 1 {
		t.Errorf("skills %v, %v", skills, err)
	}
	if data, err := fs.ReadFile(fsys, "good/templates/note.txt"); err == nil {
		t.Errorf("read %q through a link that leaves the folder", data)
	}
	for _, bad := range []string{filepath.Join(top, "none"), filepath.Join(root, "good", "SKILL.md")} {
		if _, err := Dir(bad); err == nil {
			t.Errorf("%s was taken for a folder", bad)
		}
	}
}

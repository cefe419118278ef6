package project

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFind(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{"plain/a/b", "repo/.git", "repo/src/deep", "repo/.findspot", "new/.git", "new/src", "around/.findspot", "around/inner/.git", "around/inner/x", "around/loose",
		"home/.findspot", "home/notes", "half/.findspot", "half/x"} {
		if err := os.MkdirAll(filepath.Join(top, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range []string{"repo", "around", "home"} {
		if err := os.WriteFile(filepath.Join(top, d, IndexName, "VERSION"), []byte("1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		dir, root string // root "": the folder itself
		found     bool
	}{
		{"plain/a/b", "", false},
		{"repo", "", true},
		{"repo/src/deep", "repo", true},
		{"new/src", "new", false},
		{"around/inner/x", "around/inner", false}, // an index around the repository is another one
		{"around/loose", "around", true},
		{"home/notes", "", false}, // the home folder is no project
		{"home", "", true},
		{"half/x", "", false}, // the folder is no index
	} {
		want := Place{Index: IndexName, Root: ".", Found: tt.found}
		if tt.root != "" {
			want.Root = filepath.Join(top, tt.root)
			want.Index = filepath.Join(want.Root, IndexName)
		}
		if got, err := Find(filepath.Join(top, tt.dir), filepath.Join(top, "home")); err != nil || got != want {
			t.Errorf("Find(%s) = %+v, %v, want %+v", tt.dir, got, err, want)
		}
	}
	if _, err := Find(filepath.Join(top, "nobody"), filepath.Join(top, "home")); err == nil {
		t.Error("Find of a folder that is not there: no error")
	}
}

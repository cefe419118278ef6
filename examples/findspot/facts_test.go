package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// apart gives an environment in which programs share nothing with the user's.
func apart(t *testing.T) []string {
	home := t.TempDir()
	return []string{"HOME=" + home, "XDG_CACHE_HOME=" + home, "LocalAppData=" + home}
}

// A second worktree, with an index of its own, parses only what differs, and the program says so.
func TestFactsAreShared(t *testing.T) {
	env := append(os.Environ(), apart(t)...)
	index := func(branch string) string {
		t.Helper()
		root := t.TempDir()
		for i := range 20 {
			text := fmt.Sprintf("def f%d():\n    f%d()\n", i, i+1)
			if i == 0 {
				text = "def " + branch + "():\n    f1()\n"
			}
			if err := os.WriteFile(filepath.Join(root, fmt.Sprintf("m%d.py", i)), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.CommandContext(t.Context(), "findspot", "code", "index", root, "--dir", filepath.Join(root, ".findspot"))
		cmd.Env = env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out)
	}
	if out := index("main"); strings.Contains(out, "known from") {
		t.Errorf("first worktree: %s", out)
	}
	if out := index("side"); !strings.Contains(out, "; 1 parsed, 19 known from other indexes or an interrupted run") {
		t.Errorf("second worktree: %s", out)
	}
}

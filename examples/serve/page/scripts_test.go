package page

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/need"
)

// TestScripts has node read every module, and run the tests in testdata/js of those that need no page.
func TestScripts(t *testing.T) {
	node := need.Tool(t, "node", "--version")
	dir := t.TempDir()
	js, err := fs.Sub(embedded, "assets/js")
	if err != nil {
		t.Fatal(err)
	}
	for to, from := range map[string]fs.FS{"js": js, "test": os.DirFS("testdata/js")} {
		if err := os.CopyFS(filepath.Join(dir, to), from); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"type": "module"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), node, args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("node %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	err = fs.WalkDir(js, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			run("--check", filepath.Join("js", name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	tests, err := filepath.Glob(filepath.Join(dir, "test", "*.test.mjs"))
	if err != nil || len(tests) == 0 {
		t.Fatalf("no tests: %v", err)
	}
	run(append([]string{"--test"}, tests...)...)
}

package api_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot/examples/serve/api"
	"github.com/findspot/findspot/internal/need"
)

// TestManual runs the examples of docs/api.md.
func TestManual(t *testing.T) {
	need.Tool(t, "curl", "--version")
	page, err := os.ReadFile("../../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, &api.Options{Uploads: filepath.Join(t.TempDir(), "uploads")}).withReceiver().withPapers()
	dir, script := t.TempDir(), ""
	for line := range strings.Lines(string(page)) {
		if code, ok := strings.CutPrefix(line, "    "); ok {
			script += strings.ReplaceAll(code, "http://127.0.0.1:8080", w.url)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "notes.md"), []byte("# Notes\n\nThe threshold is one.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", script)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s\n%s", err, out, script)
	}
	text := strings.ReplaceAll(string(out), `": `, `":`) // protojson varies the blanks
	for _, want := range []string{`"hits":[{`, `"sections":[{`, `"edges":[{`, `{"understood":`, `{"piece":`, `{"done":{`, `{"document":{"id":`, `"change":"added"`, "\n{}"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in the answers", want)
		}
	}
}

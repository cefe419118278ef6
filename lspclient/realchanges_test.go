package lspclient_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/findspot/findspot/internal/need"
	"github.com/findspot/findspot/internal/plant"
	"github.com/findspot/findspot/lspclient"
)

// TestRealKindsOfChange: after each kind of change on disk nobody tells about, on a copy of a small repository, no answer
// is wrong and complete, none is an error, and those of most kinds are right and complete.
func TestRealKindsOfChange(t *testing.T) {
	if testing.Short() {
		t.Skip("many changes on many servers")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, tt := range []struct {
		entry, program, probe string
		repo, lang            string
		unsure                map[string]string // kinds after which answers may be right without being complete, with the reason
		symbols               string            // why symbols of the workspace are never complete
	}{
		{"gopls", "gopls", "version", "gorepo", "go", map[string]string{
			"configuration changed":     "an import that leads nowhere",
			"marker created or deleted": "a module of its own, whose imports lead nowhere",
		}, ""},
		{"pyright", "pyright", "--version", "pyrepo", "python", map[string]string{"marker created or deleted": "another workspace folder"}, ""},
		{"basedpyright", "basedpyright", "--version", "pyrepo", "python", map[string]string{"marker created or deleted": "another workspace folder"}, ""},
		{"ty", "ty", "--version", "pyrepo", "python", map[string]string{"marker created or deleted": "another workspace folder"}, ""},
		{"pylsp", "pylsp", "--version", "pyrepo", "python", map[string]string{
			"marker created or deleted": "another workspace folder",
			"branch switched":           "more files than jedi looks at",
			"buffer above a change":     "jedi reads the disk",
		}, ""},
		{"typescript", "tsc", "--version", "tsrepo", "typescript", nil, ""},
		{"typescript-language-server", "typescript-language-server", "--version", "tsrepo", "typescript", nil, "two projects"},
		{"clangd", "clangd", "--version", "cpprepo", "cpp", nil, ""},
		{"rust-analyzer", "rust-analyzer", "--version", "rsrepo", "rust", map[string]string{"configuration changed": "a file that no target names"}, ""},
	} {
		t.Run(tt.entry, func(t *testing.T) {
			need.Tool(t, tt.program, tt.probe)
			need.Tool(t, "git", "--version")
			t.Parallel() // servers wait for most of the time
			root, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			if err := os.CopyFS(root, os.DirFS(filepath.Join("testdata", tt.repo))); err != nil {
				t.Fatal(err)
			}
			lc, err := lspclient.Open(t.Context(), root, &lspclient.Options{Timeout: 2 * time.Minute, Prefer: []string{tt.entry}})
			if err != nil {
				t.Fatal(err)
			}
			defer lc.Close()
			p, err := plant.New(root, tt.lang, tt.entry, lc)
			if err != nil {
				t.Fatal(err)
			}
			for round, kind := range p.Kinds() {
				for i, step := range p.Steps(kind, round) {
					checks, err := step.Do()
					if err != nil {
						t.Fatalf("%s, step %d: %v", kind, i+1, err)
					}
					for j := range min(len(checks), 2) { // another one first each time
						o := plant.Put(t.Context(), lc, checks[(round+i+j)%len(checks)], 2*time.Minute)
						switch o.Verdict {
						case plant.Right, plant.NotOffered:
						case plant.RightSaid, plant.WrongSaid:
							if tt.unsure[kind] == "" && (tt.symbols == "" || o.Ask != plant.WorkspaceSymbols) {
								t.Errorf("%s, step %d, question %d: %v", kind, i+1, j+1, o)
							}
						default:
							t.Errorf("%s, step %d, question %d: %v", kind, i+1, j+1, o)
						}
					}
				}
			}
		})
	}
}

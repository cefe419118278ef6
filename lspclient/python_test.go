package lspclient

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/findspot/findspot/internal/need"
	"github.com/findspot/findspot/lspclient/internal/complete"
	"github.com/findspot/findspot/lspclient/internal/jsonrpc"
	"github.com/findspot/findspot/lspclient/internal/registry"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/serverspec"
)

// pythonServers are the entries for Python with the program and the probe that show that they are installed.
var pythonServers = []struct {
	entry string
	probe []string
}{
	{"pyright", []string{"--version"}}, {"basedpyright", []string{"--version"}}, {"ty", []string{"version"}}, {"pylsp", []string{"--version"}},
}

func TestReach(t *testing.T) {
	root := t.TempDir()
	files := map[string]string{"venv/a.py": "word = 1\n", "b.txt": "word\n"}
	for i := range 5 {
		files[fmt.Sprintf("d/f%d.py", i)] = strings.Repeat("word = 1\n", i%2)
	}
	writeFiles(t, root, files)
	spec := &registry.Spec{Spec: serverspec.Spec{Name: "s", Languages: map[string][]string{"python": {".py"}}}}
	for _, c := range []struct {
		rule  serverspec.ReachRule
		ident string
		want  string
	}{
		{serverspec.ReachRule{}, "x", ""},
		{serverspec.ReachRule{Shortest: 3}, "né", "less than 3 characters"},
		{serverspec.ReachRule{Shortest: 3}, "né_", ""},
		{serverspec.ReachRule{Files: 5, Skip: []string{"venv"}}, "word", ""},
		{serverspec.ReachRule{Files: 5}, "word", "no more than 5 files"},
		{serverspec.ReachRule{Holding: 2, Skip: []string{"venv"}}, "word", ""},
		{serverspec.ReachRule{Holding: 1, Skip: []string{"venv"}}, "word", "hold \"word\""},
		{serverspec.ReachRule{Holding: 1, Skip: []string{"venv"}}, "wor", ""},
	} {
		got := complete.BeyondReach(t.Context(), spec, c.rule, root, c.ident)
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%+v.beyond(%s) = %q, want %q", c.rule, c.ident, got, c.want)
		}
	}
}

// trapRepo is a repository that tries to be run: interpreters of virtual environments in the usual places, modules named
// like those of the standard library, and configuration of linters, refactoring tools and test runners that names code.
// Whatever of it runs leaves its name in the file that trap names.
func trapRepo(t *testing.T) (root, trap string) {
	t.Helper()
	root, trap = t.TempDir(), filepath.Join(t.TempDir(), "trapped")
	files := map[string]string{
		"pkg/__init__.py":      "from .a import target\n",
		"pkg/a.py":             "import json\n\n\ndef target():\n    return json.dumps(1)\n\n\ntarget()\n",
		".ropeproject/conf.py": "", ".pylintrc": "[MASTER]\nload-plugins=plugin\n",
		"setup.cfg":             "[flake8]\n[flake8:local-plugins]\nextension = X = plugin:X\npaths = .\n[mypy]\nplugins = plugin.py\n",
		"pyproject.toml":        "[tool.pyright]\nvenvPath = \".\"\nvenv = \".venv\"\n[tool.basedpyright]\nvenvPath = \".\"\nvenv = \"venv\"\n[tool.ty.environment]\npython = \".venv\"\n",
		".vscode/settings.json": `{"python.pythonPath": "./.venv/bin/python", "python.defaultInterpreterPath": "./.venv/bin/python"}`,
	}
	run := fmt.Sprintf("open(%q, 'a').write(__name__ + '\\n')\n", trap)
	for _, m := range []string{"json", "re", "os", "typing", "sitecustomize", "usercustomize", "conftest", "plugin", "parso", "jedi", "setup", ".ropeproject/config"} {
		files[m+".py"] = run
	}
	shell := fmt.Sprintf("#!/bin/sh\necho \"$0 $*\" >> %q\nexit 1\n", trap)
	var programs []string
	for _, env := range []string{".venv", "venv", "env"} {
		files[env+"/pyvenv.cfg"] = "home = /usr/bin\nversion = 3.11.2\n"
		files[env+"/lib/python3.11/site-packages/evil.pth"] = "import os; " + run
		for _, p := range []string{"python", "python3", "pyright", "pyright-langserver", "ty", "pylsp", "black", "node"} {
			programs = append(programs, env+"/bin/"+p)
			files[env+"/bin/"+p] = shell
		}
	}
	writeFiles(t, root, files)
	for _, p := range programs {
		if err := os.Chmod(filepath.Join(root, filepath.FromSlash(p)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return root, trap
}

// TestPythonTraps: nothing of the repository runs, not even where the environment of this program points into it.
func TestPythonTraps(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the traps are shell scripts")
	}
	if testing.Short() {
		t.Skip("starts four servers")
	}
	for _, ps := range pythonServers {
		t.Run(ps.entry, func(t *testing.T) {
			need.Tool(t, ps.entry, ps.probe...)
			root, trap := trapRepo(t)
			t.Setenv("PATH", filepath.Join(root, ".venv", "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
			t.Setenv("VIRTUAL_ENV", filepath.Join(root, ".venv"))
			t.Setenv("PYTHONPATH", ".")
			c, err := Open(t.Context(), root, &Options{Prefer: []string{ps.entry}, Timeout: 2 * time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			r, err := c.References(t.Context(), Named("target"), nil)
			if err != nil || r.State != Complete || !slices.Contains(lines(r.Locations), "pkg/a.py:8") {
				t.Errorf("References(target) = %+v, %v", r, err)
			}
			if r != nil && !strings.HasPrefix(r.Server, ps.entry) {
				t.Errorf("%s has answered", r.Server)
			}
			// What the client does not ask for runs as little.
			abs, err := c.pool.Tree.Existing("pkg/a.py")
			if err != nil {
				t.Fatal(err)
			}
			v, err := c.pool.ServerFor(t.Context(), abs)
			if err != nil {
				t.Fatal(err)
			}
			s, err := v.Session(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			at := map[string]any{"textDocument": map[string]string{"uri": source.FileURI(abs)}, "position": map[string]int{"line": 3, "character": 5}}
			for _, method := range []string{"hover", "completion", "signatureHelp", "rename", "diagnostic", "formatting", "codeAction"} {
				params := maps.Clone(at)
				params["newName"] = "other"
				params["options"] = map[string]any{"tabSize": 4, "insertSpaces": true}
				params["range"] = map[string]any{"start": at["position"], "end": at["position"]}
				params["context"] = map[string]any{"diagnostics": []any{}}
				raw, err := json.Marshal(params)
				if err != nil {
					t.Fatal(err)
				}
				if err := s.Call(t.Context(), "textDocument/"+method, json.RawMessage(raw), nil); jsonrpc.IsEnded(err) {
					t.Fatal(err)
				}
			}
			if ran, err := os.ReadFile(trap); err == nil {
				t.Errorf("the repository ran: %s", ran)
			}
		})
	}
}

package agentconfig

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWrite(t *testing.T) {
	entry := `{"command":"mcpserver","args":["--dir",".findspot","--docs","papers","--repo","."]}`
	other := `{"theme": "dark", "mcpServers": {"else": {"command": "x"}}}`
	for _, tt := range []struct {
		name, agent, before string
		force               bool
		change              string
		holds               []string
	}{
		{"new", "claude", "", false, "written", []string{`"mcpServers"`, `"command": "mcpserver"`}},
		{"beside others", "claude", other, false, "written", []string{`"theme": "dark"`, `"else"`, `"command": "x"`, `"mcpserver"`}},
		{"there already", "claude", `{"mcpServers":{"findspot":` + entry + `}}`, false, "unchanged", []string{`{"mcpServers":{`}},
		{"ours of before", "claude", `{"mcpServers":{"findspot":{"command":"/bin/mcpserver","args":["-dir",".findspot"]}}}`, false, "updated", []string{`"mcpserver"`, `"papers"`}},
		{"ours with more", "claude", `{"mcpServers":{"findspot":{"command":"mcpserver","args":["--trust"]}}}`, false, "kept", []string{`"--trust"`}},
		{"ours with an environment", "claude", `{"mcpServers":{"findspot":{"command":"mcpserver","args":[],"env":{"A":"b"}}}}`, false, "kept", []string{`"env"`}},
		{"another entry", "claude", `{"mcpServers":{"findspot":{"command":"mine"}}}`, false, "kept", []string{`"mine"`}},
		{"another entry, replaced", "claude", `{"mcpServers":{"findspot":{"command":"mine"}}}`, true, "updated", []string{`"mcpserver"`}},
		{"comments", "vscode", "{\n// mine\n}", true, "written", []string{"// mine", `"findspot": {`}},
		{"comments where none may be", "claude", "{\n// mine\n}", true, "kept", []string{"// mine"}},
		{"broken", "vscode", "{\"servers\": {", true, "kept", nil},
		{"an empty file", "cursor", " \n", false, "written", []string{`"findspot"`, `"${workspaceFolder}/papers"`, `"${workspaceFolder}"`, `"type": "stdio"`}},
		{"no file that is known", "other", "", false, "kept", nil},
		{"TOML", "codex", "model = \"x\" # mine\n", false, "written", []string{"model = \"x\" # mine\n", "[mcp_servers.findspot]\ncommand = \"mcpserver\""}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			a, ok := Find(tt.agent)
			if !ok {
				t.Fatal("no such agent")
			}
			file := filepath.Join(dir, a.File())
			if tt.before != "" {
				if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(tt.before), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			server := Server{Command: "mcpserver", Index: filepath.Join(dir, ".findspot"), Docs: []string{filepath.Join(dir, "papers")}, Repos: []string{dir}}
			got, err := a.Write(dir, server, tt.force)
			if err != nil || got.Change != tt.change || (got.Change == "kept") != (got.Snippet != "" && got.Reason != "") {
				t.Fatalf("Write = %+v, %v, want %s", got, err, tt.change)
			}
			if a.File() == "" {
				return
			}
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range tt.holds {
				if !strings.Contains(string(data), want) {
					t.Errorf("no %s in\n%s", want, data)
				}
			}
		})
	}
}

// TestWriteOutside: a link that leads out of the project is not written through.
func TestWriteOutside(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	target := filepath.Join(out, "mcp.json")
	if err := os.WriteFile(target, []byte("{}"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, filepath.Join(dir, ".mcp.json")); err != nil {
		t.Skip(err)
	}
	a, _ := Find("claude")
	if got, err := a.Write(dir, Server{Command: "x"}, true); err == nil {
		t.Errorf("Write through a link = %+v", got)
	}
	if data, err := os.ReadFile(target); err != nil || string(data) != "{}" {
		t.Errorf("the file outside is %q, %v", data, err)
	}
}

// TestWriteAgain: what is not said again stays, with the next server too.
func TestWriteAgain(t *testing.T) {
	dir := t.TempDir()
	a, _ := Find("claude")
	for i, s := range []Server{{Command: "x", Docs: []string{filepath.Join(dir, "papers"), "/elsewhere"}, Repos: []string{dir}}, {Command: "/bin/x"}} {
		s.Index = filepath.Join(dir, ".findspot")
		if got, err := a.Write(dir, s, false); err != nil || got.Change != []string{"written", "updated"}[i] {
			t.Fatalf("Write = %+v, %v", got, err)
		}
	}
	data, err := os.ReadFile(filepath.Join(dir, ".mcp.json"))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(strings.Fields(string(data)), ""); !strings.Contains(got, `"--dir",".findspot","--docs","papers","--docs","/elsewhere","--repo","."`) {
		t.Errorf("the second entry is %s", data)
	}
}

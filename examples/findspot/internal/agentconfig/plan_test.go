package agentconfig

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPlaces: where each client has its file, and what it holds then.
func TestPlaces(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the places are those of Linux")
	}
	home, root := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("CODEX_HOME", "")
	server := Server{Command: "findspot", Args: []string{"mcp"}, Getenv: os.Getenv, Index: filepath.Join(root, ".findspot"), Docs: []string{filepath.Join(root, "papers")}}
	want := map[string]string{
		"claude-code project":    ".mcp.json {\"mcpServers\":{\"findspot\":{\"command\":\"findspot\",\"args\":[\"mcp\",\"--dir\",\".findspot\",\"--docs\",\"papers\"]}}}",
		"claude-code user":       "~/.claude.json {\"mcpServers\":{\"findspot\":{\"command\":\"findspot\",\"args\":[\"mcp\",\"--dir\",\"ROOT/.findspot\",\"--docs\",\"ROOT/papers\"]}}}",
		"claude-desktop user":    "~/.config/Claude/claude_desktop_config.json {\"mcpServers\":{\"findspot\":{\"command\":\"findspot\",\"args\":[\"mcp\",\"--dir\",\"ROOT/.findspot\",\"--docs\",\"ROOT/papers\"]}}}",
		"codex project":          ".codex/config.toml [mcp_servers.findspot]command=\"findspot\"args=[\"mcp\",\"--dir\",\".findspot\",\"--docs\",\"papers\"]",
		"codex user":             "~/.codex/config.toml [mcp_servers.findspot]command=\"findspot\"args=[\"mcp\",\"--dir\",\"ROOT/.findspot\",\"--docs\",\"ROOT/papers\"]",
		"cursor project":         ".cursor/mcp.json {\"mcpServers\":{\"findspot\":{\"type\":\"stdio\",\"command\":\"findspot\",\"args\":[\"mcp\",\"--dir\",\"${workspaceFolder}/.findspot\",\"--docs\",\"${workspaceFolder}/papers\"]}}}",
		"cursor user":            "~/.cursor/mcp.json {\"mcpServers\":{\"findspot\":{\"type\":\"stdio\",\"command\":\"findspot\",\"args\":[\"mcp\",\"--dir\",\"ROOT/.findspot\",\"--docs\",\"ROOT/papers\"]}}}",
		"vscode project":         ".vscode/mcp.json {\"servers\":{\"findspot\":{\"type\":\"stdio\",\"command\":\"findspot\",\"args\":[\"mcp\",\"--dir\",\"${workspaceFolder}/.findspot\",\"--docs\",\"${workspaceFolder}/papers\"]}}}",
		"vscode user":            "~/.config/Code/User/mcp.json {\"servers\":{\"findspot\":{\"type\":\"stdio\",\"command\":\"findspot\",\"args\":[\"mcp\",\"--dir\",\"ROOT/.findspot\",\"--docs\",\"ROOT/papers\"]}}}",
		"zed project":            ".zed/settings.json {\"context_servers\":{\"findspot\":{\"command\":\"findspot\",\"args\":[\"mcp\",\"--dir\",\".findspot\",\"--docs\",\"papers\"]}}}",
		"zed user":               "~/.config/zed/settings.json {\"context_servers\":{\"findspot\":{\"command\":\"findspot\",\"args\":[\"mcp\",\"--dir\",\"ROOT/.findspot\",\"--docs\",\"ROOT/papers\"]}}}",
		"claude-desktop project": "error: Claude Desktop has no configuration in a project: write that of the user",
	}
	got := map[string]string{}
	for _, c := range Clients() {
		for _, scope := range []string{Project, User} {
			p, err := c.Plan(scope, root, server, false)
			if err != nil {
				got[c.Name+" "+scope] = "error: " + err.Error()
				continue
			}
			if _, err := os.Stat(p.File); err == nil {
				t.Errorf("%s was written by the plan", p.File)
			}
			if diff := p.Diff(); !strings.HasPrefix(diff, "--- /dev/null\n+++ "+p.File+"\n@@ -0,0 +1,") {
				t.Errorf("the difference is\n%s", diff)
			}
			if err := p.Write(); err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(p.File)
			if err != nil {
				t.Fatal(err)
			}
			file := strings.Replace(p.File, home, "~", 1)
			if rel, err := filepath.Rel(root, p.File); err == nil && filepath.IsLocal(rel) {
				file = rel
			}
			got[c.Name+" "+scope] = file + " " + strings.ReplaceAll(strings.Join(strings.Fields(string(data)), ""), root, "ROOT")
			if again, err := c.Plan(scope, root, server, false); err != nil || again.Change != Unchanged || again.Diff() != "" {
				t.Errorf("%s %s again: %+v, %v", c.Name, scope, again, err)
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestWriteKeeps: permissions and links of the user's own file stay, and what changed meanwhile is not written over.
func TestWriteKeeps(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such permissions")
	}
	home := t.TempDir()
	t.Setenv("CODEX_HOME", filepath.Join(home, "codex"))
	real := filepath.Join(home, "dotfiles.toml")
	if err := os.WriteFile(real, []byte("a = 1\n"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(home, "codex"), 0o700); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(home, "codex", "config.toml")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	c, _ := FindClient("codex")
	p, err := c.Plan(User, home, Server{Command: "findspot", Args: []string{"mcp"}, Getenv: os.Getenv}, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Write(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(real)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the file has the mode %v, %v", info.Mode(), err)
	}
	if target, err := os.Readlink(link); err != nil || target != real {
		t.Errorf("the link leads to %q, %v", target, err)
	}
	late, err := c.Plan(User, home, Server{Command: "findspot", Args: []string{"mcp", "--trust"}, Getenv: os.Getenv}, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(real, []byte("b = 2\n"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := late.Write(); err == nil || !strings.Contains(err.Error(), "changed meanwhile") {
		t.Errorf("Write over another change = %v", err)
	}
}

func TestDiff(t *testing.T) {
	p := &Plan{File: "f", before: []byte("1\n2\n3\n4\n5\n6\n7\n8\n9"), after: []byte("1\n2\n3\n4\n5\nx\ny\n7\n8\n9")}
	want := "--- f\n+++ f\n@@ -3,7 +3,8 @@\n 3\n 4\n 5\n-6\n+x\n+y\n 7\n 8\n 9\n\\ No newline at end of file\n"
	if diff := cmp.Diff(want, p.Diff()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

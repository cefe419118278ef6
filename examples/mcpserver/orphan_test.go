package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/findspot/findspot/internal/fakels"
)

// TestNoServerIsLeft ends the program in every way there is while a language server runs below it, one that is ready and one that
// never answers.
func TestNoServerIsLeft(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("processes die with their parent on Linux alone")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, end := range map[string]func(*mcp.ClientSession, *os.Process) error{
		"end of input": func(c *mcp.ClientSession, _ *os.Process) error { return c.Close() },
		"SIGTERM":      func(_ *mcp.ClientSession, p *os.Process) error { return p.Signal(syscall.SIGTERM) },
		"SIGKILL":      func(_ *mcp.ClientSession, p *os.Process) error { return p.Kill() },
	} {
		t.Run(name, func(t *testing.T) {
			yaml, pids := fakels.Entries(t, fakels.Server{Name: "fakepy", Language: "python", Ext: ".py"}, fakels.Server{Name: "fakego", Language: "go", Ext: ".go", Fault: fakels.Hang})
			dir := t.TempDir()
			for file, text := range map[string]string{"servers.yaml": yaml, "repo/a.py": "def used():\n    pass\n\n\ndef main():\n    used()\n", "repo/b.go": "package b\n\nfunc other() {}\n"} {
				p := filepath.Join(dir, file)
				if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.Command(self, "-profile", "full", "-dir", filepath.Join(dir, "index"), "-repo", filepath.Join(dir, "repo"), "-servers", filepath.Join(dir, "servers.yaml"))
			cmd.Env = append(os.Environ(), serveEnv+"=1")
			client, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			res, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "lsp_references", Arguments: map[string]any{"symbol": "used"}})
			if err != nil || res.IsError {
				t.Fatalf("lsp_references: %+v, %v", res, err)
			}
			hover := map[string]any{"path": "b.go", "line": 3, "col": 6}
			if res, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "lsp_hover", Arguments: hover}); err != nil || res.IsError {
				t.Fatalf("lsp_hover: %+v, %v", res, err)
			}
			left := make(chan struct{})
			go func() { // under way when the program ends
				defer close(left)
				_, _ = client.CallTool(t.Context(), &mcp.CallToolParams{Name: "lsp_references", Arguments: hover})
			}()
			if err := end(client, cmd.Process); err != nil {
				t.Logf("ending: %v", err) // the program's own end is an error to its client
			}
			if n := fakels.WaitGone(t, pids); n != 2 {
				t.Errorf("%d language servers ran, want 2", n)
			}
			client.Close()
			<-left
		})
	}
}

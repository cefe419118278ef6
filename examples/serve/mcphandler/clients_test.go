package mcphandler

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/internal/mcpstdio"
	"github.com/findspot/findspot/internal/need"
)

// serveEnv makes the test binary a server on standard input and output, over the workspace of testdata.
const serveEnv = "FINDSPOT_TEST_SERVER"

// serveLines is the test binary as a server.
func serveLines() error {
	dir, err := os.MkdirTemp("", "findspot-mcp")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	open := func() (*findspot.Workspace, error) { return openWorkspace(ctx, dir) }
	if sources := os.Getenv(benchEnv); sources != "" {
		open = func() (*findspot.Workspace, error) { return benchWorkspace(ctx, sources) }
	}
	ws, err := open()
	if err != nil {
		return err
	}
	defer ws.Close()
	h, err := New(ws, nil)
	if err != nil {
		return err
	}
	defer h.Close()
	return h.Run(ctx, mcpstdio.New(os.Stdin, os.Stdout, nil))
}

// TestClients calls the handler by the official clients for Python and TypeScript, over both transports.
func TestClients(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(handler(t, workspace(t, nil), nil))
	defer s.Close()
	defer s.CloseClientConnections()
	targets := map[string][]string{"HTTP": {s.URL}, "lines": {os.Args[0]}}
	for _, c := range []struct {
		name, program, version string
		probe, args            []string
	}{
		{"python", "mcp-python", "", []string{"-c", "import mcp"}, []string{filepath.Join(here, "testdata", "client.py"), "auto"}},
		{"python of old", "mcp-python", "2025-11-25", []string{"-c", "import mcp"}, []string{filepath.Join(here, "testdata", "client.py"), "legacy"}},
		{"typescript", "mcp-node", "", []string{"--version"}, []string{filepath.Join(here, "testdata", "client.mjs")}},
	} {
		for over, target := range targets {
			t.Run(c.name+" over "+over, func(t *testing.T) {
				program := need.Tool(t, c.program, c.probe...)
				var got struct {
					Version                             string
					Tools, Titles, Templates, Completed []string
					Found, Document, Prompt             string
					Structured                          map[string]any
					Wrong                               bool
				}
				out := called(t, program, slices.Concat(c.args, target)...)
				if err := json.Unmarshal(out, &got); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
				if c.version != "" && got.Version != c.version {
					t.Errorf("version %q, want %q", got.Version, c.version)
				}
				if len(got.Tools) != 8 || slices.Contains(got.Titles, "") {
					t.Errorf("tools %q with the titles %q, want the eight of the compact profile", got.Tools, got.Titles)
				}
				for what, ok := range map[string]bool{
					"a passage":             strings.Contains(got.Found, "[D1]"),
					"a structured form":     got.Structured["items"] != nil,
					"an error":              got.Wrong,
					"a document":            strings.Contains(got.Document, "findspot://doc/"),
					"templates":             len(got.Templates) == 4,
					"a completion":          slices.Contains(got.Completed, "receiver/pss.py:detect_pss"),
					"a prompt with a value": strings.Contains(got.Prompt, "- symbol: detect_pss"),
				} {
					if !ok {
						t.Errorf("there is not %s in %.3000s", what, out)
					}
				}
			})
		}
	}
}

// TestInspector calls the handler by the command line of the official inspector.
func TestInspector(t *testing.T) {
	program := need.Tool(t, "mcp-inspector", "--version")
	s := httptest.NewServer(handler(t, workspace(t, nil), nil))
	defer s.Close()
	defer s.CloseClientConnections()
	for over, target := range map[string][]string{"HTTP": {s.URL + "/mcp", "--transport", "http"}, "lines": {os.Args[0], "-e", serveEnv + "=1", "--transport", "stdio"}} {
		for method, tt := range map[string]struct {
			args []string
			want string
		}{
			"tools/list":               {[]string{"--strict"}, `"search_internal"`},
			"tools/call":               {[]string{"--tool-name", "search_entity", "--tool-arg", "query=detect_pss"}, "receiver/pss.py:detect_pss"},
			"resources/list":           {nil, "findspot://doc/"},
			"resources/read":           {[]string{"--uri", "findspot://code/receiver/pss.py:detect_pss"}, "def detect_pss"},
			"resources/templates/list": {nil, "findspot://code/{+entity}"},
			"prompts/list":             {nil, `"who-calls"`},
			"prompts/get":              {[]string{"--prompt-name", "who-calls", "--prompt-args", "symbol=detect_pss"}, "- symbol: detect_pss"},
		} {
			t.Run(method+" over "+over, func(t *testing.T) {
				out := called(t, program, slices.Concat([]string{"--cli"}, target, []string{"--method", method}, tt.args)...)
				if !strings.Contains(string(out), tt.want) {
					t.Errorf("%s: no %s in %.2000s", method, tt.want, out)
				}
			})
		}
	}
}

// called is what a program prints, in a folder and with a home of its own.
func called(t *testing.T, program string, args ...string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.WaitDelay = time.Second
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s\n%s", program, args, err, out, &stderr)
	}
	return out
}

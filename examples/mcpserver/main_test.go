package main

import (
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestServer(t *testing.T) {
	here, there := mcp.NewInMemoryTransports()
	data := filepath.Join("..", "testdata")
	done := make(chan error, 1)
	go func() {
		done <- run(t.Context(), []string{"-dir", t.TempDir(), "-profile", "full", "-docs", filepath.Join(data, "papers"), "-repo", filepath.Join(data, "receiver")}, there, io.Discard)
	}()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	s, err := client.Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	if guide := s.InitializeResult().Instructions; !strings.Contains(guide, "search_internal") || !strings.Contains(guide, "who-calls") {
		t.Errorf("instructions = %q, want the guide with the skills", guide)
	}
	tools, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, tool := range tools.Tools {
		names[tool.Name] = true
		if tool.Description == "" {
			t.Errorf("tool %s has no description", tool.Name)
		}
	}
	for _, want := range []string{"search_internal", "view_file", "search_entity", "traverse_graph", "retrieve_entity", "references", "lsp_definition", "search_text"} {
		if !names[want] {
			t.Errorf("there is no tool %s", want)
		}
	}
	if names["write_file"] {
		t.Error("write_file is offered without having been asked for")
	}
	call := func(name string, args map[string]any) (string, bool) {
		t.Helper()
		res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
		if err != nil {
			t.Fatal(err)
		}
		text := res.Content[0].(*mcp.TextContent).Text
		data, err := json.Marshal(res.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		if m, ok := res.StructuredContent.(map[string]any); !res.IsError && (!ok || m["items"] == nil || len(data) > len(text)) {
			t.Errorf("%s: structured content %s of\n%s", name, data, text)
		}
		return text, res.IsError
	}
	if text, bad := call("search_internal", map[string]any{"query": "primary synchronization signal"}); bad || !strings.Contains(text, `[D1] "`) {
		t.Errorf("search_internal: %v %s", bad, text)
	}
	if text, bad := call("search_entity", map[string]any{"query": "detect_pss"}); bad || !strings.Contains(text, "receiver/pss.py:detect_pss") {
		t.Errorf("search_entity: %v %s", bad, text)
	}
	if text, bad := call("view_file", map[string]any{"path": "../../../go.mod"}); !bad {
		t.Errorf("a path out of the repository was read: %s", text)
	}
	if text, bad := call("search_entity", map[string]any{"qery": "x"}); !bad || !strings.Contains(text, "query (required)") {
		t.Errorf("a wrong argument: %v %s, want an error that lists the right ones", bad, text)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if err := <-done; err != nil {
		t.Errorf("run = %v", err)
	}
	if _, err := json.Marshal(tools); err != nil {
		t.Error(err)
	}
}

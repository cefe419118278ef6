package findspot_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/internal/fakels"
	"github.com/findspot/findspot/skill"
)

// TestServerTools calls each question to language servers as an agent does, with a server that is ready and one that is not.
func TestServerTools(t *testing.T) {
	dir := write(t, map[string]string{
		"core.py": "class Box:\n    def open(self):\n        return helper()\n\n\ndef helper():\n    return leaf()\n\n\ndef leaf():\n    pass\n\n\ndef unused():\n    pass\n",
		"bad.py":  "def f():\n    BROKEN\n",
	})
	call := func(t *testing.T, tools []skill.Tool, name, args string) *skill.Result {
		t.Helper()
		for _, tool := range tools {
			if tool.Name == name {
				res, err := tool.Call(t.Context(), json.RawMessage(args))
				if err != nil {
					t.Fatalf("%s %s: %v", name, args, err)
				}
				return res
			}
		}
		t.Fatalf("there is no tool %s", name)
		return nil
	}
	ws := withRepos(t, fakeOptions(t, fakePy), dir)
	tools := ws.Tools(&findspot.ToolsOptions{Profile: findspot.ProfileAliases})
	for _, tt := range []struct{ tool, args, want string }{
		{"lsp_type_definition", `{"symbol": "helper"}`, "core.py:helper"},
		{"lsp_implementation", `{"path": "core.py", "line": 6, "col": 5}`, "core.py:helper"},
		{"find_implementations", `{"name_path": "helper", "relative_path": "core.py"}`, "core.py:helper"},
		{"lsp_workspace_symbols", `{"query": "help"}`, "function helper"},
		{"lsp_hover", `{"symbol": "helper"}`, "word helper"},
		{"lsp_calls", `{"symbol": "helper"}`, "core.py:Box.open"},
		{"lsp_calls", `{"symbol": "helper", "direction": "outgoing"}`, "core.py:leaf"},
		{"lsp_diagnostics", `{"path": "bad.py"}`, "  2:5 error: this is broken (fakels E1)"},
		{"get_diagnostics_for_file", `{"relative_path": "core.py"}`, "complete: there is none"},
		{"lsp_rename", `{"symbol": "helper", "new_name": "aide"}`, "+def aide():"},
		{"lsp_servers", `{}`, "fakepy (python): running v1.2.3; in .: ready"},
		{"lsp_references", `{"symbol": "unused"}`, "complete: there is none"},
	} {
		res := call(t, tools, tt.tool, tt.args)
		if !strings.Contains(res.Text, tt.want) || res.Verdict != "" {
			t.Errorf("%s %s: verdict %q, want %q in\n%s", tt.tool, tt.args, res.Verdict, tt.want, res.Text)
		}
		data, ok := res.Structured.(json.RawMessage)
		if ok == (tt.tool == "lsp_hover") || len(data) > len(res.Text) || strings.Contains(string(data), `..."`) {
			t.Errorf("%s %s: structured form %s of\n%s", tt.tool, tt.args, data, res.Text)
		}
	}
	slow := withRepos(t, func() *findspot.Options {
		o := fakeOptions(t, fakels.Server{Name: "fakeslow", Language: "python", Ext: ".py", Fault: fakels.Indexing})
		o.Servers.Timeout = 1e9
		return o
	}(), dir)
	res := call(t, slow.Tools(nil), "lsp_references", `{"symbol": "core.py:unused"}`)
	if res.Verdict != skill.VerdictNoneKnown || !strings.Contains(res.Text, "does not mean that there is none") {
		t.Errorf("nothing found while a server reads: verdict %q\n%s", res.Verdict, res.Text)
	}
}

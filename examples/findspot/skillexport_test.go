package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/export"
)

// TestHookReadsAnswers gives the hook what findspot's tools really return, in both forms: the documents and passages that it counts are those of the answer.
func TestHookReadsAnswers(t *testing.T) {
	ws, err := findspot.Open(t.Context(), filepath.Join(t.TempDir(), "index"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	for _, err := range ws.AddDocs(t.Context(), filepath.Join("..", "testdata", "papers")) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := ws.AddRepo(t.Context(), filepath.Join("..", "testdata", "receiver"), nil); err != nil {
		t.Fatal(err)
	}
	for tool, query := range map[string]string{"search_internal": "noise floor", "search_entity": "detect_pss"} {
		var res *skill.Result
		for _, x := range ws.Tools(nil) {
			if x.Name == tool {
				if res, err = x.Call(t.Context(), json.RawMessage(`{"query":"`+query+`"}`)); err != nil {
					t.Fatal(err)
				}
			}
		}
		docs, inCode := map[string]bool{}, 0
		for _, it := range res.Items {
			if it.At.Path != "" {
				inCode++
			} else {
				docs[it.At.Doc] = true
			}
		}
		if len(res.Items) < 3 || len(docs) < 2 && inCode < 3 {
			t.Fatalf("%s found too little for a test: %v", tool, res.Items)
		}
		cond := fmt.Sprintf(`len(x) == %d && docs(x) == %d && len(filter(x, .path != "")) == %d && all(x, .text != "" && .line > 0 || .kind == "figure" || .page > 0)`, len(res.Items), len(docs), inCode)
		text := "---\nname: s\ndescription: d\n---\n```yaml workflow\nguards: [{deny: [write_file], until: passed.g}]\nsteps:\n  - {id: x, search: {in: " +
			map[string]string{"search_internal": "docs", "search_entity": "code"}[tool] + ", for: q, keep: 100}}\n  - {id: g, require: '" + cond + "'}\n```\n"
		s, err := skill.Parse("SKILL.md", text)
		if err != nil {
			t.Fatal(err)
		}
		for form, response := range map[string]any{"structured": res.Structured, "text": []map[string]string{{"type": "text", "text": res.Text}}} {
			in, err := json.Marshal(map[string]any{"session_id": "s", "hook_event_name": "PostToolUse", "tool_name": "mcp__findspot__" + tool, "tool_response": response})
			if err != nil {
				t.Fatal(err)
			}
			h := &export.Hook{Skill: s, Tools: ws.Tools(nil), State: filepath.Join(t.TempDir(), "hooks")}
			if out, err := h.Answer(in); err != nil || !strings.Contains(string(out), "g passed") {
				t.Errorf("%s, %s: %s, %v, want %s", tool, form, out, err, cond)
			}
		}
	}
}

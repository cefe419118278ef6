package mcphandler

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/findspot/findspot"
)

const planSkill = `---
name: plan-first
description: Write a file only after references and an approved plan.
allowed-tools: search_internal read write_file
---

` + "```yaml workflow" + `
inputs:
  topic: {type: string, required: true}
guards:
  - deny: [write_file]
    until: passed.enough && approved.ok
    because: no code before references and an approved plan
steps:
  - id: refs
    search: {in: docs, for: ["${inputs.topic}"], keep: 5}
  - id: enough
    require: len(refs) >= 1
  - id: ok
    approve: "Write about ${inputs.topic}?"
    choices: [approve, stop]
    unattended: stop
` + "```\n"

// skillSession starts a server with a skill active, and a client; answer nil makes one that cannot ask anybody.
func skillSession(t *testing.T, version string, skillText string, answer func(*mcp.ElicitParams) *mcp.ElicitResult) (call func(name string, args map[string]any) (string, bool), out string) {
	t.Helper()
	skills := t.TempDir()
	out = t.TempDir()
	if err := os.MkdirAll(filepath.Join(skills, "plan-first"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(skills, "plan-first", "SKILL.md"), []byte(skillText), 0o666); err != nil {
		t.Fatal(err)
	}
	here, there := mcp.NewInMemoryTransports()
	done := make(chan error, 1)
	ws := workspace(t, &findspot.Options{Skills: []fs.FS{os.DirFS(skills)}})
	h := handler(t, ws, &Options{Tools: findspot.ToolsOptions{Profile: findspot.ProfileFull, WriteDir: out}, Skill: "plan-first",
		Inputs: map[string]any{"topic": "primary synchronization signal"}, Record: io.Discard})
	go func() { done <- h.Run(context.WithoutCancel(t.Context()), there) }()
	co := &mcp.ClientOptions{}
	if answer != nil {
		co.ElicitationHandler = func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return answer(req.Params), nil
		}
	}
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, co).Connect(t.Context(), here, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if err := <-done; err != nil {
			t.Errorf("run = %v", err)
		}
	})
	return func(name string, args map[string]any) (string, bool) {
		t.Helper()
		res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(res.Content) == 0 {
			return "", res.IsError
		}
		return res.Content[0].(*mcp.TextContent).Text, res.IsError
	}, out
}

// TestActiveSkill refuses a write before the gate, over a real session, and allows it after; with clients of both ways of asking.
func TestActiveSkill(t *testing.T) {
	accept := func(p *mcp.ElicitParams) *mcp.ElicitResult {
		if !strings.Contains(p.Message, "Write about primary synchronization signal?") {
			t.Errorf("the person is asked %q", p.Message)
		}
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"choice": "approve"}}
	}
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		for _, tt := range []struct {
			name   string
			answer func(*mcp.ElicitParams) *mcp.ElicitResult
			ends   string
			opens  bool
		}{
			{"approved", accept, "ended done", true},
			{"declined", func(*mcp.ElicitParams) *mcp.ElicitResult { return &mcp.ElicitResult{Action: "decline"} }, "ended stopped", false},
			{"stop", func(*mcp.ElicitParams) *mcp.ElicitResult {
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"choice": "stop"}}
			}, "ended stopped", false},
			{"cannot be asked", nil, "ended stopped", false},
		} {
			t.Run(version+" "+tt.name, func(t *testing.T) {
				call, out := skillSession(t, version, planSkill, tt.answer)
				write := map[string]any{"path": "a.txt", "text": "x"}
				if text, bad := call("search_internal", map[string]any{"query": "noise floor"}); bad || !strings.Contains(text, "[D1]") {
					t.Errorf("a tool that no guard denies: %v %s", bad, text)
				}
				if text, bad := call("search_text", map[string]any{"pattern": "x"}); !bad || !strings.Contains(text, "allowed-tools") || !strings.Contains(text, "use another tool") {
					t.Errorf("a tool that the skill does not list: %v %s", bad, text)
				}
				text, bad := call("write_file", write)
				for _, want := range []string{"no code before references and an approved plan", "passed.enough && approved.ok", "next: call run_skill", "then call write_file again"} {
					if !bad || !strings.Contains(text, want) {
						t.Errorf("write before the gate: %v %s, want %q", bad, text, want)
					}
				}
				if text, bad := call("run_skill", map[string]any{"answer": "approve"}); bad || !strings.Contains(text, tt.ends) { // no call can approve
					t.Errorf("run_skill: %v %s, want %q", bad, text, tt.ends)
				}
				text, bad = call("write_file", write)
				if bad == tt.opens {
					t.Errorf("write after the steps: %v %s", bad, text)
				}
				if _, err := os.Stat(filepath.Join(out, "a.txt")); (err == nil) != tt.opens {
					t.Errorf("the file: %v", err)
				}
				if text, _ := call("run_skill", nil); !strings.Contains(text, tt.ends) {
					t.Errorf("run_skill again: %s", text)
				}
			})
		}
	}
}

// TestClientIsTheModel answers a step of the skill with the client's own agent.
func TestClientIsTheModel(t *testing.T) {
	text := strings.Replace(planSkill, "  - id: ok\n", "  - id: named\n    ask: \"Which signal? Answer in one word.\"\n    schema: {type: object, properties: {word: {type: string}}, required: [word]}\n  - id: ok\n", 1)
	call, _ := skillSession(t, "2026-07-28", text, func(*mcp.ElicitParams) *mcp.ElicitResult {
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"choice": "approve"}}
	})
	got, bad := call("run_skill", nil)
	if bad || !strings.Contains(got, "The skill asks you") || !strings.Contains(got, "Which signal?") {
		t.Fatalf("run_skill: %v %s", bad, got)
	}
	if again, _ := call("run_skill", nil); again != got {
		t.Errorf("asked again without an answer: %s", again)
	}
	if text, bad := call("write_file", map[string]any{"path": "a", "text": "x"}); !bad {
		t.Errorf("the gate is open while the skill waits: %s", text)
	}
	if got, bad := call("run_skill", map[string]any{"answer": `{"word": "PSS"}`}); bad || !strings.Contains(got, "ended done") {
		t.Errorf("run_skill with the answer: %v %s", bad, got)
	}
}

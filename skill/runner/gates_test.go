package runner_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/runner"
	"github.com/findspot/findspot/skill/skilltest"
)

// approving are options with a person who approves everything.
func approving() *runner.Options {
	return &runner.Options{Approve: func(context.Context, runner.Approval) (string, error) { return "approve", nil }}
}

// bench is a runner's tools with one that writes, and the skill that lists them.
func bench(t *testing.T, workflow string) (*skill.Skill, *skilltest.ScriptedTool, []skill.Tool) {
	t.Helper()
	w := skilltest.NewTool("write_file", &skill.Result{Text: "written"})
	w.Writes = true
	s := parse(t, workflow)
	s.AllowedTools = []string{"write_file", "search_internal", "look"}
	return s, w, skilltest.Tools(w, skilltest.NewTool("search_internal", passages()), skilltest.NewTool("look", &skill.Result{Text: "seen"}))
}

// TestApprovalOfOneElementIsNoneOfTheNext approves the first element and is asked again for the second.
func TestApprovalOfOneElementIsNoneOfTheNext(t *testing.T) {
	s, w, tools := bench(t, `inputs: {names: list}
guards: [{deny: [write_file], until: approved.ok}]
steps:
  - id: all
    each: ${inputs.names}
    as: name
    steps:
      - {id: ok, approve: "write ${name}?", choices: [approve, later]}
      - {id: code, call: write_file, args: {path: "${name}"}}
  - {id: after, call: write_file, args: {path: z}}
`)
	asked := 0
	o := &runner.Options{Approve: func(_ context.Context, a runner.Approval) (string, error) {
		if asked++; asked == 2 {
			return "later", nil
		}
		return "approve", nil
	}}
	out := mustRun(t, runner.New(nil, tools, o), s, map[string]any{"names": []any{"a", "b"}})
	if got := fmt.Sprint(w.Calls()); got != `[{"path":"a"}]` || out.Status != skill.StatusStopped || len(out.Denied) != 1 || out.Denied[0].Step != "code" {
		t.Errorf("%s at %s: %s; wrote %s", out.Status, out.At, out.Reason, got)
	}
	out = mustRun(t, runner.New(nil, tools, approving()), s, map[string]any{"names": []any{"a", "b"}})
	if out.Status != skill.StatusStopped || out.At != "after" || len(w.Calls()) != 3 {
		t.Errorf("behind the each: %s at %s: %s; wrote %v", out.Status, out.At, out.Reason, w.Calls())
	}
}

// TestApprovalFallsWithWhatWasApproved has the plan written again behind its approval.
func TestApprovalFallsWithWhatWasApproved(t *testing.T) {
	const text = `guards: [{deny: [look], until: approved.ok && passed.fine}]
steps:
  - {id: refs, search: {for: x}}
  - id: rounds
    loop: {max: 2}
    steps:
      - {id: plan, write: plan, from: [refs]}
      - {id: peek, when: "approved.ok", call: look}
      - {id: ok, when: "!approved.ok && peek == []", approve: "${plan}"}
      - {id: fine, require: "approved.ok || true"}
`
	for _, second := range []string{"The plan [D1].", "Another plan [D1]."} {
		s, _, tools := bench(t, text)
		m := skilltest.NewModel(skilltest.Says("The plan [D1]."), skilltest.Says(second))
		var calls int
		for i := range tools {
			if tools[i].Name == "look" {
				tools[i].Call = func(context.Context, json.RawMessage) (*skill.Result, error) {
					calls++
					return &skill.Result{Text: "seen"}, nil
				}
			}
		}
		var rec strings.Builder
		o := approving()
		o.Record = &rec
		out := mustRun(t, runner.New(m, tools, o), s, nil)
		same := second == "The plan [D1]."
		if (calls == 1) != same || strings.Contains(rec.String(), `"event":"withdrawn"`) == same {
			t.Errorf("%q: %d calls, %s: %s", second, calls, out.Status, out.Reason)
		}
	}
}

// TestGatesCloseWithTheRun calls a guarded tool when the run has ended.
func TestGatesCloseWithTheRun(t *testing.T) {
	for end, want := range map[string]bool{"done": true, "stopped": false, "insufficient": false} {
		s, w, tools := bench(t, "guards: [{deny: [write_file, look], until: approved.ok}]\nsteps:\n  - {id: ok, approve: go}\n  - {id: e, finish: "+end+"}\n")
		run, err := runner.New(nil, tools, approving()).Start(t.Context(), s, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := run.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, tool := range []string{"write_file", "look"} {
			if _, err := run.Call(t.Context(), tool, nil); (err == nil) != want {
				t.Errorf("%s behind a run that ended %s: %v", tool, end, err)
			}
		}
		if (len(w.Calls()) == 1) != want {
			t.Errorf("%s: %d writes", end, len(w.Calls()))
		}
	}
}

// TestApprovalInAUsedSkillOpensNoOuterGuard has both skills name their gate alike.
func TestApprovalInAUsedSkillOpensNoOuterGuard(t *testing.T) {
	skills, err := skill.Load(folder(map[string]string{
		"inner/SKILL.md": strings.Replace(md("inner", "steps:\n  - {id: ok, approve: inner}\n  - {id: c, call: write_file}\n"), "---\n\n", "allowed-tools: write_file\n---\n\n", 1),
		"outer/SKILL.md": strings.Replace(md("outer", "guards: [{deny: [write_file], until: approved.ok}]\nsteps:\n  - {id: u, use: inner}\n  - {id: ok, approve: outer}\n"), "---\n\n", "allowed-tools: write_file\n---\n\n", 1),
	}))
	if err != nil {
		t.Fatal(err)
	}
	_, w, tools := bench(t, "steps: [{id: x, finish: done}]\n")
	out := mustRun(t, runner.New(nil, tools, approving()), named(t, skills, "outer"), nil)
	if out.Status != skill.StatusStopped || len(w.Calls()) != 0 || len(out.Denied) != 1 || out.Denied[0].Until != "approved.ok" {
		t.Errorf("%s: %s, %+v", out.Status, out.Reason, out.Denied)
	}
}

// TestModelCallsOnlyWhatTheStepOffers lets a model ask for a tool that the skill lists and the step does not.
func TestModelCallsOnlyWhatTheStepOffers(t *testing.T) {
	s, w, tools := bench(t, "steps:\n  - {id: ok, approve: go}\n  - {id: a, ask: look around, with: [look]}\n")
	m := skilltest.NewModel(skilltest.Calls("write_file", `{}`), skilltest.Calls("look", `{}`), skilltest.Says("Seen."))
	out := mustRun(t, runner.New(m, tools, approving()), s, nil)
	if len(w.Calls()) != 0 || len(out.Denied) != 1 || out.Denied[0].By != "model" || out.ToolCalls != 1 || out.Status != skill.StatusDone {
		t.Errorf("%s: %s, %d writes, %+v", out.Status, out.Reason, len(w.Calls()), out.Denied)
	}
}

func TestToolPatterns(t *testing.T) {
	type call struct {
		tool, args string
		want       bool
	}
	tests := []struct {
		allowed []string
		deny    string
		calls   []call
	}{
		{[]string{"lsp_*"}, "", []call{{"lsp_definition", `{}`, true}, {"search", `{}`, false}}},
		{nil, "lsp_*", []call{{"lsp_definition", `{}`, false}, {"search", `{}`, true}}},
		{nil, `"*"`, []call{{"lsp_definition", `{}`, false}, {"search", `{}`, false}}},
		{nil, "search", []call{{"find", `{}`, false}, {"search", `{}`, false}, {"lsp_definition", `{}`, true}}},
		{nil, "fin?", []call{{"find", `{}`, false}, {"search", `{}`, false}}}, // a pattern for one name means the tool
		{[]string{"run_command(git:*)"}, "", []call{
			{"run_command", `{"command":"git","args":["status"]}`, true},
			{"run_command", `{"command":["git","log"]}`, true},
			{"run_command", `{"command":"git"}`, true},
			{"run_command", `{"command":"gitx"}`, false},
			{"run_command", `{"command":"rm","args":["git"]}`, false},
			{"run_command", `{"command":"git status; rm -rf /"}`, false},
			{"run_command", `{"command":"git","Command":"rm"}`, false},
			{"run_command", `{"other":"git"}`, false},
			{"run_command", `not json`, false},
		}},
		{[]string{"run_command(git add *)", "search(*)"}, "", []call{
			{"run_command", `{"command":"git add x"}`, true}, {"run_command", `{"command":"git rm x"}`, false}, {"search", `{"query":"x"}`, true}}},
		{[]string{"search(src/**)"}, "", []call{
			{"search", `{"path":"src/a/b.go"}`, true}, {"search", `{"path":"src/../etc/passwd"}`, false}, {"search", `{"path":"etc"}`, false}, {"search", `{}`, false}}},
		{[]string{"Bash(git:*)", "Read"}, "", []call{{"search", `{}`, false}}},
	}
	for _, tt := range tests {
		var tools []skill.Tool
		for _, n := range []string{"lsp_definition", "search", "find", "run_command"} {
			tool := skill.Tool{Name: n, Call: func(context.Context, json.RawMessage) (*skill.Result, error) { return &skill.Result{Text: "ok"}, nil }}
			if n == "find" {
				tool.AliasOf = "search"
			}
			tools = append(tools, tool)
		}
		w := "steps: [{id: g, require: \"false\"}]\n"
		if tt.deny != "" {
			w = "guards: [{deny: [" + tt.deny + "], until: passed.g}]\n" + w
		}
		s := parse(t, w)
		s.AllowedTools = tt.allowed
		run, err := runner.New(nil, tools, nil).Start(t.Context(), s, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range tt.calls {
			_, err := run.Call(t.Context(), c.tool, json.RawMessage(c.args))
			var de *skill.DeniedError
			if errors.As(err, &de) == c.want {
				t.Errorf("allowed %v, deny %q: %s %s: %v", tt.allowed, tt.deny, c.tool, c.args, err)
			}
		}
	}
}

package skill_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/skilltest"
)

// TestPropose: a model may put other steps, and may forbid no less than the text does.
func TestPropose(t *testing.T) {
	s, err := skill.Parse("SKILL.md", `---
name: tides
description: How we study tides.
---
1. Search the papers for the port.
2. Ponder the moon.
3. Show me the plan and wait for my approval.
4. Write the code.

No code before references and an approved plan.
`)
	if err != nil || s.Plain() == nil {
		t.Fatal(s, err)
	}
	better := strings.Replace(s.Block(), "ask: \"Ponder the moon\"", "search: {in: docs, for: [moon]}", 1)
	better = strings.Replace(better, "    from: [documents]\n    on_error: continue\n", "", 1)
	tests := []struct {
		name string
		turn skilltest.Turn
		want string // in the error, or empty
	}{
		{"better steps", skilltest.Says("Here it is:\n\n```yaml workflow\n" + better + "```\n"), ""},
		{"the bare block", skilltest.Says(better), ""},
		{"no guard", skilltest.Says("inputs: {task: string}\nsteps:\n  - {id: a, search: {in: docs, for: x}}\n"), "nothing in it forbids write_file"},
		{"a weaker guard", skilltest.Says(strings.Replace(better, "approved.approval && passed.found", "passed.found", 1)), "nothing in it forbids write_file"},
		{"another tool", skilltest.Says(strings.Replace(better, "steps:\n", "steps:\n  - {id: sh, call: run_shell, args: {}}\n", 1)), "run_shell is not in allowed-tools"},
		{"no workflow", skilltest.Says("I would rather not."), "proposal"},
		{"an error", skilltest.Turn{Err: errors.New("no route")}, "no route"},
	}
	for _, tt := range tests {
		m := skilltest.NewModel(tt.turn)
		got, err := skill.Propose(t.Context(), m, s)
		if tt.want == "" && (err != nil || got != better) || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want) || got != "") {
			t.Errorf("%s: %v\n%s", tt.name, err, got)
		}
		if req := m.Requests(); len(req) != 1 || !strings.Contains(req[0].Messages[0].Text, "Ponder the moon") {
			t.Errorf("%s: the model was not shown the text", tt.name)
		}
	}
	if _, err := skill.Propose(t.Context(), skilltest.NewModel(), &skill.Skill{Name: "x"}); !errors.Is(err, skill.ErrUnsupported) {
		t.Errorf("a skill without plain steps: %v", err)
	}
}

package parse

import (
	"fmt"
	"strings"
	"testing"

	"github.com/findspot/findspot/skill/internal/grammar"
	"github.com/findspot/findspot/skill/workflow"
)

// TestWorkflow: keys become fields, with the line of each step.
func TestWorkflow(t *testing.T) {
	root, bad := Root("w.yaml", "limits: {tool_calls: 7}\nsteps:\n  - {id: a, search: {for: x}}\n  - {id: b, require: '${len(a) > 0}', when: \"true\"}\n", 5)
	if bad != nil {
		t.Fatal(bad)
	}
	w, bad := Workflow("w.yaml", root, grammar.BlockKeys())
	if len(bad) > 0 || len(w.Steps) != 2 || w.Limits.ToolCalls != 7 {
		t.Fatalf("Workflow = %+v, %v", w, bad)
	}
	a, b := w.Steps[0], w.Steps[1]
	if a.Kind != workflow.KindSearch || a.Search.In != "docs" || a.Line != 7 || b.Require.Cond != "len(a) > 0" || b.When != "true" || b.Line != 8 {
		t.Errorf("steps: %+v, %+v", a, b)
	}
}

// TestProblems: every problem is told with its line, all at once.
func TestProblems(t *testing.T) {
	root, bad := Root("w.yaml", "stepz: []\nsteps:\n  - {id: a, serch: {for: x}}\n  - {id: b, loop: {until: 'true'}, steps: [{id: c, finish: never}]}\n", 1)
	if bad != nil {
		t.Fatal(bad)
	}
	_, bad = Workflow("w.yaml", root, grammar.BlockKeys())
	text := fmt.Sprint(bad)
	for _, want := range []string{"w.yaml:1: ", "w.yaml:3: a step without a known kind; did you mean search?", "w.yaml:4: step \"b\": a loop needs a max", "finish is nothing_found"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s\nlacks %q", text, want)
		}
	}
	if _, bad := Root("w.yaml", "a: [", 3); len(bad) != 1 || bad[0].Line < 3 {
		t.Errorf("broken YAML: %v", bad)
	}
}

package workflow_test

import (
	"fmt"

	"github.com/findspot/findspot/skill/workflow"
)

// Check finds what can be seen without running a workflow.
func ExampleWorkflow_Check() {
	w := &workflow.Workflow{
		Steps: []*workflow.Step{
			{ID: "found", Kind: workflow.KindSearch, Search: &workflow.Search{In: "docs", For: []string{"${inputs.task}"}}, Line: 1},
			{ID: "enough", Kind: workflow.KindRequire, Require: &workflow.Require{Cond: "len(fund) > 0"}, Line: 2},
		},
	}
	for _, p := range w.Check("note.yaml", nil) {
		fmt.Println(p)
	}
	// Output:
	// note.yaml:1: step "found".for: no input is named task
	// note.yaml:2: step "enough": nothing is named fund
}

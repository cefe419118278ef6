package runner_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/runner"
	"github.com/findspot/findspot/skill/workflow"
)

// onePassage is a tool that finds one passage.
func onePassage(context.Context, json.RawMessage) (*skill.Result, error) {
	return &skill.Result{Items: []evidence.Item{{Kind: evidence.KindPassage, Text: "The PSS has length 127.", At: evidence.Place{Name: "ssb.pdf", Doc: "d", Page: 3}}}}, nil
}

// A workflow searches, and may write only when something was found and a person approved.
func Example() {
	s, err := skill.New("note", "Writes a note about what was found.", &workflow.Workflow{
		Inputs: []workflow.Input{{Name: "task", Type: "string", Required: true}},
		Guards: []workflow.Guard{{Deny: []string{"write_file"}, Until: "passed.enough", Because: "nothing was found yet"}},
		Steps: []*workflow.Step{
			{ID: "found", Kind: workflow.KindSearch, Search: &workflow.Search{In: "docs", For: []string{"${inputs.task}"}}},
			{ID: "enough", Kind: workflow.KindRequire, Require: &workflow.Require{Cond: "len(found) > 0"}},
		},
	}, &skill.NewOptions{AllowedTools: []string{"search_internal", "write_file"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	tools := []skill.Tool{
		{Name: "search_internal", Call: onePassage},
		{Name: "write_file", Writes: true, Call: onePassage},
	}
	ctx := context.Background()
	run, err := runner.New(nil, tools, nil).Start(ctx, s, map[string]any{"task": "length of the PSS"})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = run.Call(ctx, "write_file", nil) // the guard holds for everybody
	var denied *skill.DeniedError
	fmt.Println(errors.As(err, &denied), err)

	out, err := run.Run(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(out.Status, out.Items[0].Key, out.Items[0].At)
	// Output:
	// true tool write_file is denied: nothing was found yet (until passed.enough)
	// done D1 p. 3 (ssb.pdf)
}

package skill_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing/fstest"

	"github.com/findspot/findspot/skill"
)

// Skills are read from any file system; the one that fits a task is chosen by name, trigger or words.
func Example() {
	dir := fstest.MapFS{"who-calls/SKILL.md": {Data: []byte(`---
name: who-calls
description: Finds the callers of a function.
metadata:
  triggers: (?i)who calls (?P<symbol>\w+)
---
` + "```yaml workflow" + `
inputs: {symbol: string}
steps:
  - {id: refs, call: references, args: {symbol: "${inputs.symbol}"}}
` + "```\n")}}
	skills, err := skill.Load(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	choice, ok := skill.Select(skills, "Who calls detect_pss?", nil)
	fmt.Println(ok, choice.Skill.Name, choice.Inputs)
	// Output: true who-calls map[symbol:detect_pss]
}

// Hooks of a host look at every call of a tool, and may rewrite or refuse it.
func ExampleHooks() {
	h := &skill.Hooks{BeforeTool: func(_ context.Context, c skill.HookCall) (json.RawMessage, error) {
		fmt.Printf("%s calls %s %s\n", c.By, c.Tool, c.Args)
		return nil, nil // as it is
	}}
	_, err := h.BeforeTool(context.Background(), skill.HookCall{Tool: "search_text", By: "model", Args: json.RawMessage(`{"pattern":"pss"}`)})
	fmt.Println(err)
	// Output:
	// model calls search_text {"pattern":"pss"}
	// <nil>
}

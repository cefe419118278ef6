// Package workflow holds a skill's steps as Go values: a [Workflow] with inputs, limits, guards, scripts, steps and metrics.
//
// Package skill reads one from a file; a program may also build it as a Go value, for skill.New:
//
//	w := &workflow.Workflow{
//		Inputs: []workflow.Input{{Name: "task", Type: "string", Required: true}},
//		Steps: []*workflow.Step{
//			{ID: "found", Kind: workflow.KindSearch, Search: &workflow.Search{In: "docs", For: []string{"${inputs.task}"}}},
//			{ID: "enough", Kind: workflow.KindRequire, Require: &workflow.Require{Cond: "len(found) > 0"}},
//			{ID: "answer", Kind: workflow.KindSynthesize, Synthesize: &workflow.Synthesize{From: []string{"found"}}},
//		},
//		Guards: []workflow.Guard{{Deny: []string{"write_*"}, Until: "passed.enough"}},
//	}
//
// [Workflow.Check] finds every problem that can be found without running it: names that nothing binds, expressions that do
// not compile, guards that no gate opens. Values are plain data, and nothing here runs.
package workflow

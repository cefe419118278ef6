// Package skill loads research methods that a person wrote, and finds the one that fits a task. It also defines the tools, models
// and hooks that the packages below it run.
//
// A skill is a folder with a SKILL.md, as the Agent Skills specification has it (https://agentskills.io/specification).
// Its body may hold one fenced block "yaml workflow" with inputs, limits, guards and steps.
//
//	dir, err := skill.Dir(".agents/skills") // no link leads out of it
//	skills, err := skill.Load(dir)          // the good ones, and what is wrong with the others
//	choice, ok := skill.Select(skills, "who calls detect_pss?", nil)
//	out, err := runner.New(nil, tools, nil).Run(ctx, choice.Skill, choice.Inputs)
//
// # Packages
//
//   - workflow: the steps of a skill as Go values, and their checks
//   - runner: runs a skill's steps under its guards; replays and tests runs
//   - agent: lets a model gather evidence and answer from it, without steps
//   - lint: proves before a run that no step gets around a skill's guards
//   - record: the event log of a run or an agent, with its measures and differences
//   - evidence: keys, places and checks of what was found
//   - claude, openai: models; skilltest: models and tools for tests; library: skills that come with this module
//
// # Tools, models, hooks
//
// A [Tool] is a function with a name and a schema. A [Model] answers requests as a stream. [Hooks] are called before and after tool
// calls and on answers; they can rewrite arguments, refuse, cut (what is cut is counted) and annotate, and nothing else.
//
// # Limits
//
// SKILL.md has at most 1 MB, its workflow 256 KB, 500 steps and eight levels; expressions are bounded in size, memory
// and nesting. Files outside the skill's folder and links are not read. A skill with a guard that names no existing gate is not loaded.
package skill

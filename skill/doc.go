// Package skill loads research methods that a person wrote, and finds the one that fits a task. It also says what a tool and a model
// are to the packages that run them.
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
//   - lint: proves of a skill's guards that no step gets around them
//   - record: the event log of a run or an agent, with its measures and differences
//   - evidence: keys, places and checks of what was found
//   - claude, openai: models; skilltest: models and tools for tests; library: skills that are shipped
//
// # Tools, models, hooks
//
// A [Tool] is a function with a name and a schema, a [Model] answers requests as a stream, and [Hooks] stand around tool calls and
// answers: they rewrite arguments, refuse, cut (counted) and annotate, and can do no more.
//
// # Limits
//
// SKILL.md has at most 1 MB, its workflow 256 KB, 500 steps and eight levels; expressions are bounded in size, memory
// and nesting. Files outside the skill's folder and links are not read. A guard that names no existing gate does not load.
package skill

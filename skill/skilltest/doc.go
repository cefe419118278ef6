// Package skilltest replaces what a skill run talks to by scripts: a model that gives prepared answers and tools that give prepared
// results, each of which remembers what it was asked.
//
//	search := skilltest.NewTool("search_internal", skilltest.Passages("ssb.pdf", 3, "The PSS has length 127."))
//	model := skilltest.NewModel(skilltest.Says("The PSS has length 127 [D1]."))
//	out, err := runner.New(model, []skill.Tool{search.Tool()}, nil).Run(ctx, s, inputs)
//	search.Calls() // the arguments, in order
//
// # Guarantees
//
// Nothing here reads a clock, a file or the network. Everything is safe for concurrent use. A script that has run out
// returns an error that says so, never a made-up answer.
package skilltest

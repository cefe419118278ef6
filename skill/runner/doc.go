// Package runner runs skills: their steps in order, under guards that every tool call has to pass.
//
//	r := runner.New(nil, tools, &runner.Options{Record: file}) // a model is optional
//	out, err := r.Run(ctx, choice.Skill, choice.Inputs)
//	fmt.Println(out.Status, out.Reason)
//	for _, it := range out.Items { fmt.Println(it.Key, it.At) }
//
//	run, err := r.Start(ctx, choice.Skill, choice.Inputs) // or: the skill is active, and
//	host.Offer(run.Tools())                               // whoever calls these is under its guards
//
// # Steps
//
// Steps run one after the other and bind their value to their id. Expressions (expr-lang/expr) in ${...} are evaluated once, on
// plain JSON; their results, and what tools return, are never evaluated again. A guard denies tools until gates have passed:
// require (a condition) and approve (a person). Without a model, a step that needs one puts search results together as an
// outline that says so, or is refused with the reason.
//
// # Guarantees
//
// Every call of a tool in a run, by a step, by the model or through [Run.Tools], passes one place that checks the skill's
// allowed-tools, its guards and the limits. A guard that cannot be read denies its tools. A tool that writes is denied until
// something was approved, unless the host says otherwise, so that a skill whose guards were removed still cannot write. A run
// ends as done, verified_no_results, insufficient or stopped, with the reason; only the ledger of package evidence can decide
// verified_no_results. With [Options.Record] every event is written when it happens: all that [Replay] needs to run it again
// without model, tools or network, byte for byte. [Test] replays the records in a skill's folder as its tests.
//
// A script of a skill is run only by a function that the host registered ([ScriptOptions]), and only when the skill lists it
// and the host approved its digest.
package runner

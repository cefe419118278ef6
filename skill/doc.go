// Package skill loads research methods that a person wrote and runs them in order, with guards that hold.
//
// A skill is a folder with a SKILL.md, as the Agent Skills specification has it (https://agentskills.io/specification).
// Its body may hold one fenced block "yaml workflow" with inputs, limits, guards and steps.
//
//	dir, err := skill.Dir(".agents/skills") // no link leads out of it
//	skills, err := skill.Load(dir) // the good ones, and what is wrong with the others
//	choice, ok := skill.Select(skills, "who calls detect_pss?", nil)
//	r := skill.NewRunner(nil, tools, &skill.RunnerOptions{Record: file}) // a model is optional
//	out, err := r.Run(ctx, choice.Skill, choice.Inputs)
//	fmt.Println(out.Status, out.Reason)
//	for _, it := range out.Items { fmt.Println(it.Key, it.At) }
//
//	run, err := r.Start(ctx, choice.Skill, choice.Inputs) // or: the skill is active, and
//	host.Offer(run.Tools())                               // whoever calls these is under its guards
//
// # Model
//
// Steps run one after the other and bind their value to their id. Expressions (expr-lang/expr) in ${...} are evaluated
// once, on plain JSON; what comes out of them, and what tools return, is never read as an expression. A guard denies
// tools until gates have passed: require (a condition) and approve (a person). Where a step needs a model and there is
// none, search results are put together as an outline that says so, and what cannot be done is refused with the reason.
//
// # An agent without steps
//
// [Gather] lets a model collect evidence with tools, and [Answer] writes from it; either can be used without the other.
//
//	g, err := skill.Gather(ctx, model, tools, question, nil) // tools: a host's, or those of a run
//	for piece, err := range skill.Answer(ctx, model, g, nil) {
//		fmt.Print(piece.Text) // whole sentences that hold
//	}
//
// Gather starts with the titles and ids of the documents, makes the calls of a turn at the same time and no call twice, answers calls
// that cannot be made with the reason, and ends when the model has enough or a budget is used up. Older results of a long
// conversation are compacted for the question; the answer cites the originals. Answer judges each sentence when it is
// whole: it cites evidence that was gathered for this question, and its quotes stand there. What does not hold is mended by the
// model or left out, and counted. That the evidence means what the sentence says is for the reader to judge.
//
// [Hooks] stand around tool calls and answers, of runs and of agents: they rewrite arguments, refuse, cut (counted) and annotate, and
// can do no more. A [SubAgent] is a tool that gathers with a narrower prompt and fewer tools within its caller's budgets;
// [CodeRetrieval] finds the code of a task. Gathering and the answers after it write one record, like a run's; skilltest.ReadRecording
// makes of it a model and tools that answer the same again. Not replayed are the inner turns of sub-agents, whose
// results are, and the answers of hooks, which are in the results. [RecordWriter] writes
// such a record of a loop that is a host's own.
//
// # Guarantees
//
// Every call of a tool in a run, by a step, by the model or through [Run.Tools], passes one place that checks the
// skill's allowed-tools, its guards and the limits. A guard that names no existing gate does not load, and one that
// cannot be read denies. A tool that writes is denied until something was approved, unless the host says otherwise, so
// that a skill whose guards were cut out still cannot write. A run ends as done, verified_no_results, insufficient or
// stopped, with the reason; verified_no_results comes from the ledger alone. With [RunnerOptions.Record] every event is
// written as one JSON line when it happens: all that [Replay] needs to run it again without model, tools or network, byte for
// byte. [Diff] shows where two runs part, and [Test] runs the records in a skill's folder as its tests.
//
// # Limits
//
// SKILL.md has at most 1 MB, its workflow 256 KB, 500 steps and eight levels; expressions are bounded in size, memory
// and nesting. Files outside the skill's folder and links are not read. A script of a skill is run only by
// a function that the host registered ([ScriptOptions]), when the skill lists it and the host approved its digest.
package skill

// Package agent lets a model work without steps: [Gather] collects evidence for a question with tools, and [Answer] writes from it.
// Either can be used without the other.
//
//	g, err := agent.Gather(ctx, model, tools, question, nil) // tools: a host's, or those of a run under a skill's guards
//	for piece, err := range agent.Answer(ctx, model, g, nil) {
//		fmt.Print(piece.Text) // whole sentences that hold
//	}
//
// Gather starts with the titles and ids of the documents, makes the calls of a turn at the same time and no call twice, answers calls
// that cannot be made with the reason, and ends when the model has enough or a budget is used up. Older results of a long
// conversation are compacted for the question; the answer cites the originals.
//
// Answer judges each sentence when it is whole: it cites evidence that was gathered for this question, and its quotes stand there.
// What does not hold is mended by the model or left out, and counted. That the evidence means what the sentence says is for the
// reader to judge.
//
// A [SubAgent] is a tool that gathers with a narrower prompt and fewer tools within its caller's budgets; [CodeRetrieval] finds the code
// of a task. Gathering and the answers after it write one record, like a run's; skilltest.ReadRecording makes of it a model and
// tools that answer the same again. Not replayed are the inner turns of sub-agents, whose results are, and the answers of hooks,
// which are in the results.
package agent

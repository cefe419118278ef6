// Package agent lets a model work without a workflow's steps: [Gather] collects evidence for a question with tools, and
// [Answer] writes an answer from evidence. Either can be used without the other.
//
//	g, err := agent.Gather(ctx, model, tools, question, nil) // tools: a host's, or those of a run under a skill's guards
//	for piece, err := range agent.Answer(ctx, model, g, nil) {
//		fmt.Print(piece.Text) // whole sentences that hold
//	}
//
// Gather begins with the titles and ids of the documents. It runs the calls of one turn at the same time, makes no call twice,
// answers a call that cannot be made with the reason, and ends when the model has enough or a budget is used up. In a long
// conversation older results are compacted for the question; the answer still cites the originals.
//
// Answer checks each sentence as soon as it is complete: it must cite evidence that was gathered for this question, its
// quotes must stand there, and the evidence must not speak against it. A sentence that fails is corrected by the model or left
// out, and counted. [Piece.Verified] is true where the evidence supports the sentence by its words; where words cannot tell,
// it is for the reader to judge.
//
// [Decide] asks a model whether evidence says what a sentence claims, where words cannot tell.
//
// A [SubAgent] is a tool that gathers with a narrower prompt and fewer tools, within its caller's budgets; [CodeRetrieval] is
// one that finds the code of a task. Gathering and the answers after it write one record (package record), and
// skilltest.ReadRecording turns it into a model and tools that answer the same again. Two things are not replayed themselves:
// the inner turns of sub-agents (only their results are), and the answers of hooks (their effect is already in the recorded
// results).
package agent

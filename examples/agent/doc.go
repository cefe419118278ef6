// Agent answers a question from documents and repositories with the whole loop of the library: a model gathers evidence
// with the workspace's tools, and an answer is streamed in which every sentence is verified before it is printed.
//
//	agent --docs papers --repo receiver --provider anthropic --model NAME "how is the PSS detected, and who calls detect_pss?"
//
// The flag --provider swaps the model: anthropic, openai (and every server that speaks its form: OPENAI_BASE_URL), or none, which answers with
// the sentences of the evidence itself. With --skill NAME, or --skill auto, a skill is run first, and the model's tools are
// those of its run, under its guards. --answer FILE writes the answer for "findspot verify", --record FILE everything that
// happened, one JSON object a line.
package main

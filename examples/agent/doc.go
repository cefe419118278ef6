// Agent answers a question from documents and repositories with the whole loop of the library: a model gathers evidence
// with the workspace's tools, then an answer is streamed, and every sentence is verified before it is printed.
//
//	agent --docs papers --repo receiver --provider anthropic --model NAME "how is the PSS detected, and who calls detect_pss?"
//
// The flag --provider chooses the model: anthropic; openai (any server that speaks its protocol, see OPENAI_BASE_URL); or none, which
// answers with the sentences of the evidence itself. With --skill NAME, or --skill auto, a skill is run first, and the model gets
// the tools of that run, under its guards. --answer FILE writes the answer for "findspot verify"; --record FILE writes every
// event, one JSON object a line.
//
// The other mode goes from a report (an issue, a request, a traceback) to the places that have to be changed:
//
//	agent locate --repo DIR --provider anthropic --model NAME --how loop --query-file issue.md
//
// It always begins with the ranking of Locate, which needs no model; --how none stops there. --how rerank shows the model the first
// thirty files with their best entities, once, and asks for an order. --how loop follows LocAgent (arXiv 2503.09089): keywords,
// entities, a walk through the code, then a list, with read-only tools; --samples repeats this and joins the lists by mean
// reciprocal rank. Ids that do not exist are dropped from the answer. Places that the model does not name follow in the order of
// Locate. If the model fails or runs out of turns (--turns), calls (--calls), tokens (--tokens) or time (--timeout), the places that
// it had confirmed are used, or else the ranking of Locate, and a message on standard error says so. The model gets the report as
// data, never as an instruction. --json prints a list of {"path", "entity", "line_start", "line_end", "score", "reason"}, best first,
// with a score over 1 for each place that the model chose. --record FILE writes requests, answers, calls, results and the list.
package main

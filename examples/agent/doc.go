// Agent answers a question from documents and repositories with the whole loop of the library: a model gathers evidence
// with the workspace's tools, and an answer is streamed in which every sentence is verified before it is printed.
//
//	agent --docs papers --repo receiver --provider anthropic --model NAME "how is the PSS detected, and who calls detect_pss?"
//
// The flag --provider swaps the model: anthropic, openai (and every server that speaks its form: OPENAI_BASE_URL), or none, which answers with
// the sentences of the evidence itself. With --skill NAME, or --skill auto, a skill is run first, and the model's tools are
// those of its run, under its guards. --answer FILE writes the answer for "findspot verify", --record FILE everything that
// happened, one JSON object a line.
//
// The other mode goes from a report (an issue, a request, a traceback) to the places that have to be changed:
//
//	agent locate --repo DIR --provider anthropic --model NAME --how loop --query-file issue.md
//
// Every way begins with the order of Locate, which needs no model and is all that --how none does. --how rerank shows the first
// thirty files with their best entities to the model once and asks for an order. --how loop is the way of LocAgent (arXiv 2503.09089):
// keywords, entities, a walk through the code, then a list, with tools that only read; --samples does it several times and joins the lists by
// mean reciprocal rank. An id that does not exist is never an answer. What the model does not name keeps its order behind, and when it fails, runs out of
// turns (--turns), calls (--calls), tokens (--tokens) or time (--timeout), what it had confirmed counts, else the order of Locate; standard error says so. The report is
// data to the model, never an instruction. --json prints a list of {"path", "entity", "line_start", "line_end", "score", "reason"}, best first,
// a score over 1 where the model put the place there. --record FILE writes requests, answers, calls, results and the list.
package main

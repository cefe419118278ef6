// Package answer gathers, selects and orders the evidence for findspot's Workspace.Ask. It takes the text of a question and functions that search the
// documents and the code. It returns items in order, with their keys, and also what it assumed and what it could not look at. If the question asks
// for callers, it looks them up and reads their code. It writes no prose: a model's answer is up to package skill/agent, and an answer with quotes up
// to package skill/evidence. How a search works is up to docsearch and codegraph; how evidence is shown is up to the caller.
package answer

// Package procedure reads a procedure that a person wrote in plain words, as numbered steps, bullets, headings or prose, into the steps
// of a workflow: "First search the papers; do not write code before the plan is approved" becomes a search, an approval and a guard.
//
//	r := procedure.Read(body, 1)
//	for _, st := range r.Steps {
//		fmt.Println(st.Line, st.Kind, st.Text)
//	}
//	block := r.Block(nil) // of YAML; empty when the text tells no procedure
//
// # How it reads
//
// No model is asked. Markdown is cut into sentences, sentences into clauses. Whether a clause tells somebody to do something, and of which [Kind] that is, is learned from labelled clauses (naive Bayes,
// compiled in: kinds.tsv, phrases), by its words and by where it stands. An order that is not understood is a step of kind [Other].
// Conditions ("if", "when") and repetitions ("for each", "until") are read from a small grammar of English. Whether a sentence forbids something until something else
// ("never ... before ...", "only once ... may ..."), where it is cut into the two, and of which kinds they are, is learned in the same way (bans.tsv); words that such a part
// shares with a step speak for that step's kind. Code, tables and sections beside the procedure (notes, examples) make no steps; of such sections, what they forbid counts.
//
// # What becomes of it
//
// A text that explains something, and has an order here and there, makes no block: what a procedure is says [Reading.Block].
// A prohibition is a guard: the tools of the forbidden kind are denied until a gate has passed. Where the text has no step that could be the
// gate, or only one that was not understood, a person's approval is put in, before the first step of the forbidden kind, or the one with its words where it is no tool's. A sentence that
// may forbid something and is in doubt ([Reading.Unread]) is put to a person before anything is written. A text is data: nothing in it is read as an expression.
package procedure

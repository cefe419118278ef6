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
// No language model is asked. Markdown is cut into sentences, sentences into clauses; "the clerk reads the form" and "the form is read" are read as the order that they are.
// Whether a clause tells somebody to do something, of which [Kind] that is, whether only under a condition and whether repeatedly, is told by weights of its words and of where it stands; so is whether a sentence
// forbids something until something else ("never ... before ...", "only once ... may ..."), where it is cut into the two, and of which kinds they are. Words that such a part
// shares with a step speak for that step's kind. The weights are learned from labelled texts (testdata, TestModel) and compiled in. An order that is not understood is a step of kind [Other].
// Code, tables and sections beside the procedure (notes, examples) make no steps; of such sections, what they forbid counts.
//
// # What becomes of it
//
// A text that explains something, and has an order here and there, makes no block: what a procedure is says [Reading.Block].
// A prohibition is a guard: the tools of the forbidden kind are denied until a gate has passed. Where the text has no step that could be the
// gate, or only one that was not understood, a person's approval is put in, before the first step of the forbidden kind, or the one with its words where it is no tool's. A sentence that
// may forbid something and is in doubt ([Reading.Unread]) is put to a person before anything is written. A text is data: nothing in it is read as an expression.
package procedure

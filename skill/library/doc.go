// Package library holds the skills that are shipped: folders with a SKILL.md, embedded.
//
//	skills, err := skill.Load(library.Skills())
//
// # Model
//
// These read and change nothing: explain-code-behaviour (documents, definitions and source for how code behaves),
// specification-clause (what a specification says, word for word), who-calls (the callers of a symbol), literature-table
// (what the papers of a collection report) and change-impact (what a change of a symbol would touch). These write code behind
// references and approved plans: synchronisation-signals (a study from references to checked code) and reproduce-algorithm
// (a paper's algorithm and its reported numbers).
//
// # Guarantees
//
// Every skill here loads without a problem or warning, and uses only the tools that the façade offers by these names.
package library

// Package library holds the skills that come with this module: folders with a SKILL.md, embedded.
//
//	skills, err := skill.Load(library.Skills())
//
// # Model
//
// Five skills read and change nothing: explain-code-behaviour (documents, definitions and source for how code behaves),
// specification-clause (what a specification says, word for word), who-calls (the callers of a symbol), literature-table (what
// the papers of a collection report) and change-impact (what a change of a symbol would touch). Two write code, only after
// references were found and a person approved the plans: synchronisation-signals (a study from references to checked code) and
// reproduce-algorithm (a paper's algorithm and its reported numbers).
//
// # Guarantees
//
// Every skill here loads without a problem or warning, and uses only tools that package findspot offers, by their names there.
package library

// Package infer computes what the expressions of a program may be, by abstract interpretation without an order of statements. It takes a
// program with its modules and returns the set of values of each expression, followed through names, assignments, arguments, results,
// attributes, containers, classes and overloads, as cells of a [solver.Solver]. After an edit it recomputes only what depends on the edit.
// It makes no edges and does not depend on how a graph is stored or shown. Languages describe their differences in [lang.Rules]; no code
// here names a language.
package infer

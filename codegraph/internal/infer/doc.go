// Package infer computes what the expressions of a program may be: abstract interpretation without order of statements. A program
// with its modules goes in; what comes out is the set of values of each expression, followed through names, assignments, arguments,
// results, attributes, containers, classes and overloads, as cells of a [solver.Solver]. After an edit only what rests on it is
// computed again. It makes no edges, and does not know how a graph is stored or shown: languages say how theirs differ in
// [lang.Rules], and nothing here asks for a language by name.
package infer

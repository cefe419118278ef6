// Package link finds the edges of a repository. The facts of all files go in, from a [Source]; what comes out is the [Linkage] of
// each file: its edges with their levels, and the references that could not be placed. Names are looked up in scopes, modules and
// included files; where that does not settle a call, a solver computes which declarations each expression may stand for, through
// assignments, parameters, results, attributes and containers, until nothing changes any more. Update does over only what an edit
// changed. It reads no files and does not know how a graph is stored, searched or shown: languages say how theirs differ in
// lang.Rules and resolvers, and nothing here asks for a language by name.
package link

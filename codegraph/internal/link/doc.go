// Package link finds the edges of a repository. It takes the facts of all files from a [Source] and returns the [Linkage] of each file: its
// edges with their levels, and its unresolved references. Package infer computes what expressions may be. [Linker.Update] recomputes only
// what an edit changed. The package reads no files and does not depend on how a graph is stored, searched or shown; package assemble puts
// the linkages into a graph.
package link

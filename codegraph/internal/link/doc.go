// Package link finds the edges of a repository. The facts of all files go in, from a [Source]; what comes out is the [Linkage] of
// each file: its edges with their levels, and the references that could not be placed. What expressions may be it asks package
// infer. [Linker.Update] does over only what an edit changed. It reads no files and does not know how a graph is stored, searched
// or shown.
package link

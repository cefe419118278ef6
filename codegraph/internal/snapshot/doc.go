// Package snapshot is the linked graph of a repository at one moment, for those who read it: its nodes and edges as numbers, the words of
// its entities ([Words]), and the sources they stand in, checked by hash ([Sources]). Blocks of files go in ([New]); nodes, edges, places and
// names come out, and follow-up graphs share the blocks that did not change. What observations laid over it is an [Overlay], which its readers
// need not know of. It does not know how blocks are made, saved or kept up to date, what a question is, nor the types that users see.
package snapshot

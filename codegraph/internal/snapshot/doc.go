// Package snapshot is the linked graph of a repository at one moment, for readers: its nodes and edges as numbers, the words of its entities
// ([Words]), and their sources, checked by hash ([Sources]). A [Graph] consists of the blocks of files, and later graphs share the blocks
// that did not change. Edges added by observations (package overlay) are held in an [Overlay]; a reader need not know whether there is one.
// It does not depend on how blocks are made, saved or updated, on the questions asked, or on the types that users see.
package snapshot

// Package segments is what stands in an index of blevestore, and how it is found again: records are made into the entries of segments in the format of zapx, the
// list of segments is read from the engine's root file, and queries, vectors and spellings are answered with a [View] of one state, over the postings. Documents
// and queries of docsearch/driver go in, entries and hits come out; files that are broken or crafted become errors ([Guard]). It knows no folder, no lock
// and no other process: those are blevestore's.
package segments

// Package segments defines what is stored in an index of blevestore, and searches it. It turns the records of
// docsearch/driver into entries of segments in the format of zapx, reads the list of segments from bleve's root file,
// and answers queries, vectors and spellings over the postings: a [View] is one state of the index. Broken or crafted
// files give errors, not panics ([Guard]). The folder, its lock and other processes are blevestore's job; bleve decides
// when segments are merged.
package segments

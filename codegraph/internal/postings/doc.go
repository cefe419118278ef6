// Package postings is an inverted index in bytes: which documents, numbered from 0, hold a term, and how often. A [Builder] takes
// terms and the documents that hold them, and gives the bytes; [Parse] takes the bytes, which may be anybody's, and finds terms
// and their lists in them without copying. The lists may stay on disk: [ParseHead] reads what stands before them, and Fetch the rest
// as it is asked for. It does not know what a term or a document is, and ranks nothing.
package postings

// Package postings is an inverted index in bytes: which documents, numbered from 0, hold a term, and how often. A [Builder] takes terms and
// the documents that hold them, and writes the bytes. [Parse] takes untrusted bytes and finds terms and their lists in them without copying.
// The lists may stay on disk: [ParseHead] reads the part before them, and the index fetches each list when it is asked for. It does not
// depend on what a term or a document is, and ranks nothing.
package postings

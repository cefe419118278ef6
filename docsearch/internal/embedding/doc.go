// Package embedding makes vectors of passages and queries with an untrusted embedder. It sends texts in batches of
// bounded size, tries a failed batch once more, halves a refused one until only the unusable texts are left out, and
// checks what comes back. A [Maker] holds one embedder, pauses after a failure, and refuses vectors of another size
// than the library's. It depends on the list of documents, not on search.
package embedding

// Package embedding makes vectors of texts and queries with an untrusted embedder. It sends texts in batches of
// bounded size, tries a failed batch once more, halves a refused one until only the unusable texts are left out, and
// checks what comes back. It does not depend on what the texts are of.
package embedding

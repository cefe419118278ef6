// Package embedding makes vectors of passages and queries with an embedder that it does not trust: it sends texts in parts of a bounded size, tries again once,
// halves what is refused until only the texts that cannot be embedded are left out, and checks what comes back. A [Maker] holds one embedder, waits
// after it failed, and refuses vectors of another size than the library holds. It knows no documents but their list, and no search.
package embedding

// Package scan reads a repository, pass by pass. It takes the [State] of the pass before and returns the next one: for each file its size,
// times, content hash and facts; the configuration files that resolvers read; the folders; and what was skipped and why. What did not change
// is not read again; facts come from the state before, the saved index, the pool, or a front end, in this order. A [Writer] and a [Reader]
// encode states, each against the one before. It does not depend on how facts are linked or where they are saved.
package scan

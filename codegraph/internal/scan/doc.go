// Package scan reads a repository, pass by pass. The state of the pass before goes in, and the next [State] comes out: for each
// file its size, times, content hash and facts, the configuration files that resolvers read, the folders, and what was skipped
// and why. What did not change since is not read again; facts come from the state before, the saved index, the pool, or a front
// end, in this order. A [Writer] and a [Reader] save states, each against the one before. It does not know what facts are linked
// to, nor where they are saved.
package scan

// Package fronttest holds what the tests of the front ends share, including those of package gosyntax: [Facts] parses one source, and [Fuzz]
// checks the facts of mutated sources, starting from an archive of marker files. Package langtest checks the edges of whole repositories.
package fronttest

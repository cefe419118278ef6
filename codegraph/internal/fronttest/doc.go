// Package fronttest holds what the tests of the front ends share, those of package gosyntax too: [Facts] parses one source, and [Fuzz] checks the facts of
// mutated sources, beginning with those of an archive of marker files. What front ends make of whole repositories is checked by
// package langtest.
package fronttest

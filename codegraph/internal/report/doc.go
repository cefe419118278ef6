// Package report parses the text of an issue. [Read] takes any text and finds its title, prose, code, output and messages, the frames of
// tracebacks, and the places that it names; [Weigh] returns the words, names and paths in them with their weights. The results are bounded.
// The caller says how much a word weighs in each part of the text. It does not depend on a repository: whether a name or a place exists in
// one is up to package locate.
package report

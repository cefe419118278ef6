// Package querytext splits the text of a query: plain stretches, phrases in quotes, what a minus excludes, and the
// words of each. It also finds the numbers of documents ("38.331", "RFC 3261") in queries, names and titles. Syntax
// that it cannot read becomes plain text, with a note. Package query decides what a query means.
package querytext

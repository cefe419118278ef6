// Package wire holds the forms in which the answers of language servers are read. Servers differ from the protocol in small
// ways, and a list of a thousand places is not lost over one of them that is wrong: in goes the JSON of an answer, out comes
// what of it can be used, with a count of what was left out ([Losses]). Positions stay those of the server. It may not know
// who asked, nor of files, sessions and the types that callers see.
package wire

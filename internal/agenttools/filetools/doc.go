// Package filetools is the tools for agents that read: a file, a page or section of a document, lines of code, and above all the places that the last search named,
// each with the function around it. Arguments of a call go in; text comes out under keys of the session's ledger. What a name means that may be a document or a file of a
// repository is decided here; searching beyond one file is for doctools and codetools.
package filetools

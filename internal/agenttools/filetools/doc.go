// Package filetools holds the agents' tools that read a document or a file of a repository: read_file, view_file and search_file, and read, which
// shows the places that the last search named, each with the function around it. Each takes the arguments of a call and returns text with keys of the
// session's ledger. This package decides whether a name means a document or a file. Searching more than one file is up to packages doctools and
// codetools.
package filetools

// Package documents keeps a language server's view of the files up to date: which documents are open in it and with which
// text (didOpen, didChange, didClose), unsaved overlays, changes on disk in the way that the server's entry says, and what it
// publishes about a document. In go a server that can be told, the tree of files and the entry; out come texts as the
// server sees them, or an OutdatedError when only a new process helps. The package does not know what questions are asked.
package documents

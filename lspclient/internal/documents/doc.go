// Package documents keeps a language server's view of the files up to date: which documents are open in it and with which text (didOpen, didChange,
// didClose), unsaved overlays, changes on disk in the way that the server's entry says, and what the server publishes about a document. It takes a
// [Server] to notify, the tree of files and the entry. It gives texts as the server sees them, or an [OutdatedError] if only a new process helps. It
// does not depend on which questions are asked.
package documents

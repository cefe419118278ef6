// Package repository joins what is known of a repository: its files as they are on disk and in unsaved buffers, its code graph, its language servers,
// and what they observed for the graph. [New] takes a folder and options. A [Repository] gives the texts that may be shown, the current graph, the
// client of the servers, and the entity around a place. Its ids and paths are its own; [Repository.ID] returns the id that a workspace of several
// repositories shows. A [Store] holds the repositories of a workspace and searches them together. The package does not depend on documents.
package repository

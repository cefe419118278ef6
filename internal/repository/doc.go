// Package repository joins what is known of one repository: its files as they are on disk and in unsaved buffers, its code graph, its language servers, and what
// those said of the graph. A folder and options go in; texts that may be shown, the current graph, the client of the servers, and the entity around a place come
// out. Ids and paths are the repository's own; [Repository.ID] gives them the name that a workspace of several repositories shows. It knows neither documents nor
// the other repositories of a workspace.
package repository

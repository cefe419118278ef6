// Package catalog is the list of a library's documents: what the store keeps of each ([Stored]), and a compact form of it in memory ([Entry]) by id,
// name, title, document number and collection. A [List] reads a driver.Store once and is patched with each change that goes through it; a [Catalog] is
// what one call sees of it, answers which document a reference names, and which ones a [Filter] lets through. It also says which ids and names
// there may be, and why a document failed. It knows no text of documents, no search and no sources.
package catalog

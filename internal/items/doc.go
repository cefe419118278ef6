// Package items turns results into evidence: a passage, figure or table of a document, an entity, a caller, lines of code, or the verdict of a search
// for callers. It takes a value of docsearch, codegraph or package callers and returns an [evidence.Item] with its place, its text and the way it was
// found, but without a key. It selects nothing and masks nothing.
package items

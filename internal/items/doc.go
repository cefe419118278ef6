// Package items writes what the rooms find as evidence: a passage, figure or table of a document, an entity, caller or line of code, and the result of a search
// for callers. A value of a room goes in; an [evidence.Item] with place, text and the way it was found comes out, without a key. It chooses and masks nothing.
package items

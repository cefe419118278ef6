// Package score matches and scores records by their texts, to the last bit as docsearch/driver says it: it is for engines whose index only narrows, or that have
// none. A query and how many records hold each of its terms go in; a record's text is matched, and its score comes out. It knows no store.
package score

// Package structure learns how a document is set and what it says of itself. Lines of sampled pages and the outline go in; a Style
// comes out, which knows running heads, looks of headings and their levels, and the metadata: title, authors, institutions,
// abstract and date. It reads pages through a function, in any order, and changes none.
package structure

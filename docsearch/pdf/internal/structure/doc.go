// Package structure learns how a document is typeset and what it says about itself. It takes the lines of sampled pages
// and the outline and returns a Style: running heads, and the looks of headings with their levels. It also reads the
// metadata: title, authors, institutions, abstract and date. It reads pages through a function, in any order, and
// changes none.
package structure

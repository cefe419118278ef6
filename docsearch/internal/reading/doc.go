// Package reading gives the text of one document back: lines, pages, sections, the abstract, the kept Markdown, the places of a pattern, and how long it is. A
// reference goes in, a [Doc] comes out, of which the rest is asked. It knows no search over documents and changes nothing.
package reading

// Package charset decodes source text in the encodings that repositories use. All code that shows, searches or parses a source file calls [UTF8], so
// that all of it sees one text with the same lines and columns.
package charset

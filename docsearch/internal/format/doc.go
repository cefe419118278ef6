// Package format reads HTML, Markdown, plain text and the records of JSON Lines. Each is an extractor in the sense of
// package extract: it takes bytes and returns one page with its text, headings, tables and captions. In Markdown only
// headings that begin with "#" count. [Lines] splits a file of JSON Lines into its records. It does not depend on a
// library or on files.
package format

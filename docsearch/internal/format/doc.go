// Package format reads the document formats that need no more than text: HTML, Markdown, plain text, and the records of JSON Lines. Each is an
// extractor in the sense of package extract: bytes go in, one page comes out with its text, headings, tables and captions. [Lines] takes a file of
// JSON Lines apart. It knows no library and no files.
package format

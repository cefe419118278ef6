// Package charset reads source text in the encodings that repositories hold: everything that shows, searches or parses a
// source goes through [UTF8], so that all of it sees one text with one set of lines and columns.
package charset

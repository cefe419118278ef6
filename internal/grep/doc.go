// Package grep matches lines of text and paths. It compiles a pattern (plain text, a word or a regular expression), returns the byte ranges of its
// matches in a line, and cuts a long line around the first match. It reads no files: the caller passes the lines.
package grep

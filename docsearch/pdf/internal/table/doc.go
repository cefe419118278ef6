// Package table finds the tables of a page and reads their cells: grids of rules, columns between chains of horizontal
// rules, and columns without any rule. It takes a page with its captions and returns tables with rows, spans and
// captions, and which of them may continue on the pages before and after. It rejects what only looks like a table: a
// chart, a listing, a table of contents. It does not depend on Markdown.
package table

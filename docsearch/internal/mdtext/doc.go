// Package mdtext writes Markdown as pages: blocks of CommonMark and tables of GitHub Flavored Markdown become headings, paragraphs, lists, code and
// tables without marks, and formulas between dollar signs become readable text. It is for Markdown inside of other documents; a file of Markdown is
// read by package format, as it stands.
package mdtext

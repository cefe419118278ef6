// Package inline writes running text as Markdown: spans of one face, words, formulas within a line, code and emphasis. Lines of
// package layout go in; spans, and Markdown of them, come out. It also puts stacked exponents and indices back on one line,
// and escapes text. It knows nothing of blocks: what a line is on its page is for package markdown to say.
package inline

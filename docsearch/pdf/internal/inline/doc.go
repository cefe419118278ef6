// Package inline writes running text as Markdown: code, emphasis, and formulas within a line. It takes lines of package
// layout and returns spans, each in one face, and their Markdown. It also puts stacked superscripts and subscripts back
// on one line, and escapes text. What a line is on its page is up to package markdown.
package inline

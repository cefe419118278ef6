// Package markdown writes a page as Markdown and finds its headings. Lines, tables, figures and the style of the document go in.
// Each line is first told what it is - heading, paragraph, list, code, formula, note, caption, running head -, then
// lines become blocks. It reads no file, and decides nothing about tables and figures.
package markdown

// Package markdown writes a page as Markdown and finds its headings. It takes lines, tables, figures and the style of
// the document. It first classifies each line (heading, paragraph, list, code, formula, note, caption, running head)
// and then joins lines into blocks; notes and text at the margin go after the page's text. It reads no file; tables and
// figures are given.
package markdown

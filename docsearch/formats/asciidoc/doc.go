// Package asciidoc reads AsciiDoc as Asciidoctor 2 reads it, without running it. It follows the AsciiDoc Language documentation, and the older
// two-line titles.
//
//	lib, err := blevestore.Open(ctx, dir, &docsearch.Options{Extractors: map[string]docsearch.Extractor{".adoc": asciidoc.New()}})
//
// A document is one page. Titles of sections are headings, with numbers where the attribute sectnums asks for them; titled figures, tables and examples
// have the numbers that Asciidoctor gives them. Kept are paragraphs, lists with what is attached to them, definitions, callouts, blocks as they
// stand, tables of all separators with their spans, admonitions with their label, footnotes and formulas. Macros, attributes and references become what
// they show. Comments, block attributes and index terms are no text.
//
// Limits: a document is one file. What it includes is named in a line "(includes other.adoc)" and not read. Conditionals look at the attributes that the
// file sets and at none that a program would set. A file has at most 32 MB, and blocks nest at most 40 deep; what is deeper is kept as one
// paragraph.
package asciidoc

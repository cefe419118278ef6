// Package rst reads reStructuredText as docutils and Sphinx write it, without running either. It follows the reStructuredText Markup Specification
// and the reference of the directives of docutils 0.19 and Sphinx 5.
//
//	lib, err := blevestore.Open(ctx, dir, &docsearch.Options{Extractors: map[string]docsearch.Extractor{".rst": rst.New()}})
//
// A document is one page. Sections are headings, with the number that the directive sectnum gives them, and so are the objects that Sphinx
// describes, such as ".. py:function:: name(args)", one level below their section. Kept are paragraphs, lists, definitions, fields, options, blocks as
// they stand, tables in all four notations, figures with captions, admonitions with their label, footnotes, citations and formulas. Roles,
// substitutions and references become what they show; a reference to a label of the same file shows its title. Comments, and directives that speak
// to the tools (toctree, index, automodule), are no text.
//
// Limits: a document is one file. What it includes is named in a line "(includes other.rst)" and not read, labels of other files are shown as they
// are written, and what autodoc takes from code is not there. A file has at most 32 MB, and blocks nest at most 60 deep; what is deeper is kept as
// one paragraph.
package rst

// Package latex reads sources of LaTeX, without running TeX.
//
//	lib, err := blevestore.Open(ctx, dir, &docsearch.Options{Extractors: map[string]docsearch.Extractor{".tex": latex.New(nil)}})
//
// A document is one page. Sections, figures, tables, equations, theorems and items are numbered as the standard classes number them, and references
// show what LaTeX would print. Macros that the document defines are expanded; the commands of LaTeX and of common packages are known by name, and of
// unknown ones the arguments in braces are text. Formulas become readable text, and so do accents and signs. Verbatim text, listings and what minted
// sets stand as they are. Of the preamble only definitions, title, authors and date count. Frames of beamer are headings.
//
// Included files: Open is given one file. Without [Options.Files] what it inputs is named in a line "(includes chapters/one.tex)". With it, \input,
// \include, \subfile and the bibliography of a .bbl file are read from that file system and nowhere else: at most 500 files of together at most 64
// MB, 10 deep, and never above its root.
//
// Limits: a file has at most 32 MB, macros expand to at most 64 MB in at most a million steps, and groups of arguments nest at most 200 deep; what is
// beyond is left as it stands. Conditionals are decided where they can be: those of \newif, of numbers and of what is defined; others count as false.
// Macros with delimited arguments, catcodes and registers are not interpreted, drawings (TikZ, picture) are left out, and .bib files are not read.
package latex

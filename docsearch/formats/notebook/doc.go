// Package notebook reads Jupyter notebooks of the formats 3 and 4 (nbformat).
//
//	lib, err := blevestore.Open(ctx, dir, &docsearch.Options{Extractors: map[string]docsearch.Extractor{".ipynb": notebook.New()}})
//
// A notebook is one page. Cells of Markdown are text, with their headings, lists, tables and code; their markup of single words goes. Cells of code
// stand as they are, and so do what they print, the text of their results and errors, without codes of terminals; a table of HTML is a table. A
// picture is a line "(image/png output)". In the Markdown view a line "In [n]", where n counts the cells of code from 1, stands before each; how often
// a cell was run is not shown.
//
// Limits: a notebook has at most 256 MB, of which pictures are not kept, and an output at most 1 MB of text; what is longer is cut, which a line
// says. Nothing is run, and widgets show only the text that was saved with them.
package notebook

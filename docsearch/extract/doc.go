// Package extract defines what a document format implements to be read by a library, and what it returns: pages with
// text, headings, tables, figures, and the places of their characters.
//
// An [Extractor] opens a file as a [Doc], which yields one [Page] after another. Package docsearch/pdf has the
// extractor for PDF; those for text, Markdown and HTML are built into docsearch. Optional abilities are further
// interfaces: [Unlocker], [Imager]. [OCR] works the other way round: an extractor calls it to read text from pictures.
//
// Without a library, a program works with pages directly: [Page.Find] and [Page.Locate] find where text is on a page,
// and [Contents] makes sections from the headings of many pages. The errors are those of package docsearch.
//
// The package does not depend on a library, an index or a format.
package extract

// Package extract is what a document format implements to be read by a library, and what it gives: pages with their text, headings, tables,
// figures, and the places of their characters.
//
// An [Extractor] opens a file as a [Doc], which yields [Page] after [Page]. Package docsearch/pdf has the one for PDF; those for
// text, Markdown and HTML are built into docsearch. What an extractor can do beyond that it says by further interfaces:
// [Unlocker], [Imager]. [OCR] is the other way round: what an extractor calls to read pictures of text.
//
// Who reads documents without a library works with pages directly: [Page.Find] and [Page.Locate] say where text stands on a page,
// [Contents] makes sections of the headings of many pages. The errors are those of package docsearch.
//
// The package knows no library, no index and no format.
package extract

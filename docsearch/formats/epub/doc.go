// Package epub reads books in EPUB 2 and 3.
//
//	lib, err := blevestore.Open(ctx, dir, &docsearch.Options{Extractors: map[string]docsearch.Extractor{".epub": epub.New()}})
//
// A document of the spine is a page, in the order of the spine, read as HTML is. A page without a heading gets the title that the table of contents (the
// navigation document, or the NCX of EPUB 2) has for it. Title, authors, date, publisher, subjects and description are those of the package document.
// It follows EPUB 3.3 and the Open Packaging Format 2.0.1.
//
// Limits: a book has at most 20,000 documents in its spine, one of at most 32 MB, and unfolds to at most 512 MB: what is beyond fails with
// docsearch.ErrTooLarge. A book that is encrypted, but for its fonts, is docsearch.ErrEncrypted. Pictures and drawings show their alternative text;
// scripts, sound and film are left out. Only what the container holds is read.
package epub

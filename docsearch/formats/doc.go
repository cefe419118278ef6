// Package formats gives the extractors of plain text, Markdown and HTML, which every library of package docsearch has built in, for programs that read
// other endings with them, or files outside of a library:
//
//	o := &docsearch.Options{Extractors: map[string]extract.Extractor{".log": formats.Text(), ".mkd": formats.Markdown()}}
//
// Each reads a file as one page. Text that is not UTF-8 is taken for Latin-1, and HTML for the encoding that it names; what is no text is an error
// wrapping docsearch.ErrFormat. Headings give sections, and in HTML tables and captions are found too. No file is reached but the one that is read, and
// nothing in it is executed. The packages below this one read other formats, and [All] has every one but PDF, which package docsearch/pdf reads.
package formats

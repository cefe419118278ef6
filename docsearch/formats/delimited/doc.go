// Package delimited reads tables that are text: values between commas, semicolons, tabs or bars, line by line (.csv, .tsv; RFC 4180 as far as files keep to it). The
// extractor is given to a library by the endings of files:
//
//	o := &docsearch.Options{Extractors: map[string]extract.Extractor{".csv": delimited.New(), ".tsv": delimited.New()}}
//
// What parts the values is found from the lines themselves, as is whether the first row is a head: whatever the ending says. Values may stand in double quotes, and hold the
// delimiter, line ends and doubled quotes then. A file is cut into pages of [PageRows] rows, so that a place in a long one is near what it is about; each page has
// one table, which begins with the head again. A row is one line of the text, with " | " between its values.
//
// Text is UTF-8, UTF-16 with a byte order mark, or else Windows-1252. What is no text is an error wrapping docsearch.ErrFormat, and a file of over 256 MB, or with a row of
// over 20,000 values, one wrapping docsearch.ErrTooLarge. Quotes that are not closed, and quotes within bare values, are taken as they stand.
package delimited

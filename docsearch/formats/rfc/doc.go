// Package rfc reads RFCs and Internet-Drafts: the text that the RFC Editor publishes, and the sources in XML of xml2rfc, versions 2 and 3 (RFC 7749, RFC 7991).
//
//	text := rfc.New(other) // an RFC as one, and what is none as other reads it
//	xml := rfc.NewXML()
//
// A document is one page. Of text, headers and footers of pages go, and paragraphs that they part are joined; sections are headings by their number, and
// the table of contents is text only. Lists keep their marks; drawings, tables of signs and code stand as they are, with their captions. Of XML, sections,
// figures and tables have the numbers that xml2rfc gives them, references show what it prints, and tables are tables. Title, authors, date, number and
// what a document obsoletes and updates are in its Meta (as Subject).
//
// Limits: a document has at most 32 MB, and elements nest at most 200 deep. XML from outside, such as references by XInclude or by external entities,
// is named in a line "(includes reference.RFC.2119.xml)" and not read; values of entities of the document are cut at 200 bytes. What is prose and what
// is drawn is told by its looks: where that is not clear, text stands as it is.
package rfc

// Package office reads documents of Word, PowerPoint and Excel in the formats of Office Open XML (ECMA-376, ISO/IEC 29500), of the transitional and the strict
// form, whichever program wrote them. The extractors are given to a library by the endings of files:
//
//	o := &docsearch.Options{Extractors: map[string]extract.Extractor{".docx": office.Word(), ".pptx": office.PowerPoint(), ".xlsx": office.Excel()}}
//
// Of a document of Word, the text is that with all tracked changes accepted. Headings are paragraphs with an outline level, by themselves or by their style; they and
// lists have the numbers that Word counts. Footnotes follow the section or the page that refers to them, endnotes and comments come at the end, comments under a heading
// "Comments" with who wrote them and what about. Captions go to the table or figure beside them. Formulas are written in a line, such as x^2/(a+b). What describes a picture stands in
// brackets in its place. Text boxes and the values of charts come after their paragraph. Left out are headers, footers, hidden text, the building blocks of the glossary,
// and documents put into this one, for which a note stands.
//
// Of a presentation, the title of a slide is a heading, followed by its shapes in the order of the file, which is that in which they are read aloud: text with the depth of
// lists, tables, the values of charts, the boxes of diagrams. Then come the speaker's notes after "Notes:", and comments after "Comments:". What is the same on every slide is left out: dates, numbers, footers, and the text of
// layouts. So is text in pictures and in objects of other programs.
//
// Of a workbook, the name of a sheet is a heading, and cells show what Excel shows: results of formulas as they were last stored, numbers, dates and times in the format of
// the cell. Empty rows and columns part a sheet into tables; a lone cell or column of text is text. Hidden rows and columns are read, hidden sheets are not. Charts give
// their titles, comments follow after "Comments:".
//
// Documents are not trusted. Nothing in them is run, no link is followed, and what is unpacked is bounded: in sum, for each part, against the packed size, in depth, in cells and in
// text; beyond that the error wraps docsearch.ErrTooLarge. A document that is locked by a password is docsearch.ErrEncrypted. Files of older programs (.doc, .xls,
// .ppt), binary workbooks (.xlsb) and OpenDocument are docsearch.ErrUnsupported, and what is damaged is docsearch.ErrFormat with the part and the line.
// Documents are read whole when they are opened, and closing one releases nothing.
package office

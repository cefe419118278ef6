// Package mark highlights texts in a PDF, so that anybody with a viewer sees them where they stand.
//
//	found, err := mark.Write(ctx, out, in, size, []mark.Mark{{Key: "D1", Text: "six decibels", Note: "The threshold is six decibels."}}, nil)
//
// # What is written
//
// A mark becomes one highlight annotation on each page that its text stands on (ISO 32000-1, 12.5.6.10): a quadrilateral for each line,
// an appearance of its own, so that every viewer shows the same, the key and the note as its contents, "findspot" as its author, and a
// note that pops up. Nothing of the original is changed: its bytes are the beginning of what is written, and the annotations follow as
// an incremental update (7.5.6). Whoever cuts it off at [Report.Original] bytes has the original, whose hash an answer file knows.
//
// Texts are found as package pdf reads them, over line ends, hyphens, columns and pages. A text that is not there is in the report with
// the first difference to the nearest text that is.
//
// # What is refused
//
// A signed file, since a change makes the signature void; an encrypted one, also where no password is needed to read it; and one whose
// cross-references are damaged. The error says which, and what can be done.
//
// # Limits
//
// A file may have 100 MB (Options.MaxFile), a call 2,000 marks of 16,384 runes each, and a mark with All 1,000 places; a note is cut
// at 4,000 runes. The nearest text is said of the first 20 that are missing. What a call searches is bounded, so that hostile texts end it early:
// they are not found. The file and what is written are held in memory.
//
// The package reads with package pdf and writes with github.com/pdfcpu/pdfcpu, which only programs that import this package link. Nothing is
// read from the user's home, and nothing is fetched.
package mark

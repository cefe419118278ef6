// Package pdf reads PDF files: text in reading order, tables, figures, captions, a Markdown view and what the document
// says of itself.
//
//	x := pdf.New(nil)
//	f, err := os.Open("attention.pdf")
//	...
//	doc, err := x.Open(ctx, f, size)
//	defer doc.Close()
//	for page, err := range doc.Pages(ctx, 1, 0) {
//		if err != nil { log.Print(err) }          // this page; the next ones follow
//		if page != nil { fmt.Print(page.Text) }
//	}
//
// # Model
//
// The object structure, decryption and streams come from internal/cos, opened once and shared by all who read pages; internal/catalog
// finds the pages. A page's content is run by an interpreter (internal/content) that knows text and, as far as tables and figures need
// them, lines, fills and image placement. Codes become text (internal/font) through ToUnicode, the encoding and its glyph names, the
// predefined CJK CMaps, or the embedded font's own tables, in this order. Glyphs become pieces of lines (internal/layout) by their
// distance, in the order of the content; that is the reading order of nearly every producer, two columns included. Lines, rules and
// images become tables, figures and Markdown in internal/table, figure, structure and markdown.
//
// Raw text keeps what is written: lines as they are set, hyphens at line ends. Ligatures are spelled out and accents are set on their
// letters, so that a search finds the words. A character that cannot be known is its code where that is printable, as in other readers, else
// U+FFFD. Text that is invisible (as OCR leaves it) counts; text outside the page or in a hidden layer does not.
//
// # Markdown
//
// The Markdown of a page is CommonMark with pipe tables. The title of the document is "#" on the first page; sections begin at "##",
// their depth is that of the outline, of their number, or of the look they share with numbered headings. Paragraphs are re-flowed; a hyphen at the end of
// a line goes where the joined word is plausible, and the document's own words decide. Headers and footers are left out, footnotes and text at the margin come
// after the page's text. Listings in a fixed pitch stand between fences with their indentation. Formulas stand between dollar signs, displayed ones between
// "$$" lines, with the signs of the text and TeX's ^, _, \frac, \sqrt and \tag where the page shows their layout; a dollar of the
// text is "\$". The lettering of a figure is a quotation. What the page says is in Text; the view may leave out and reorder, and is never cited.
//
// # Tables
//
// The page is turned so that most of its text runs right. Grids of rules and shades come first: units are joined where no wall
// is between them, and cut again where text shows columns and rows that were not drawn. What lies between horizontal rules of
// equal extent comes next, then rows whose pieces stand in columns without any rule. The last two share one reader: gutters
// that nearly no row crosses, a head whose cells span what the rules beneath them or the columns around them show, rows of several
// lines put together. Charts, formulas, listings, lists and contents are told by what they hold. Pages in order say which table
// goes on from the page before.
//
// # Structure
//
// Page.Headings holds the entries of the document's outline at the lines they mean, found by their words near the place they
// point to, and headings told by their looks. extract.Contents makes the sections of them.
//
// # Guarantees
//
// No input makes it panic or run without end: streams, operators, nesting, page trees and glyphs are bounded, and the
// context is looked at within each page. A damaged stream gives what came before the damage. A file whose
// cross-references cannot be used, or whose page tree has gaps, is read through what a scan finds in it. Nothing is written to disk and nothing is fetched.
//
// # Limits
//
// Scanned pages have text only through Options.OCR. JPEG 2000 is handed on, not decoded. Colours are those of the device spaces,
// without profiles. Tables are found by rules and alignment only.
package pdf

// Package pdf reads PDF files: text in reading order, tables, figures, captions, a Markdown view and the document's
// metadata.
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
// internal/cos reads objects, decrypts and decodes streams; it is opened once and shared by all readers of pages.
// internal/catalog finds the pages. internal/content interprets a page's content: text and, as far as tables and
// figures need them, lines, fills and image placement. internal/font turns codes into text, with ToUnicode, the
// encoding and its glyph names, the predefined CJK CMaps, or the embedded font's own tables, in this order.
// internal/layout joins glyphs into segments of lines by distance in the order of the content stream, which nearly
// every producer writes in reading order, even with two columns; it moves only right-to-left text and the values of
// form fields. internal/table, figure, structure and markdown make tables, figures and Markdown.
//
// Raw text keeps what is written: lines as they are set, hyphens at line ends. Ligatures are spelled out and accents
// are put on their letters, so that a search finds the words. An unknown character is given as its code if that is
// printable, as in other readers, else as U+FFFD. Invisible text (as OCR leaves it) counts; text outside the page or in
// a hidden layer does not.
//
// # Markdown
//
// The Markdown of a page is CommonMark with pipe tables. The title of the document is "#" on the first page; sections
// begin at "##", and their depth is that of the outline, of their number, or of the look they share with numbered
// headings. Paragraphs are re-flowed; a hyphen at the end of a line is dropped if the joined word is plausible, judged
// by the document's own words. Headers and footers are left out; footnotes and text at the margin come after the page's
// text. Listings in a fixed pitch are fenced, with their indentation. Formulas are between dollar signs, displayed ones
// between "$$" lines, with the characters of the text and TeX's ^, _, \frac, \sqrt and \tag if the page shows their
// layout; a dollar of the text is "\$". The lettering of a figure is a quotation. The view may leave out and reorder
// text: cite Text, never the view.
//
// # Tables
//
// The page is turned so that most of its text runs right. Grids of rules and shades come first: cells are joined if no
// wall is between them, and split again if their text shows columns and rows that were not drawn. Next come areas
// between horizontal rules of equal extent, then rows whose pieces are aligned in columns without any rule. The last
// two share one reader: it looks for gutters that nearly no row crosses, a head whose cells span what the rules below
// them or the columns around them show, and rows of several lines, which it joins. Charts, formulas, listings, lists
// and tables of contents are recognised by what they hold. Where pages are read in order, a table says whether it
// continues one of the page before.
//
// # Structure
//
// Page.Headings holds the entries of the document's outline at the lines they refer to, found by their words near the
// place they point to, and headings recognised by their looks. extract.Contents makes sections from them.
//
// # Guarantees
//
// No input makes it panic or run forever: streams, operators, nesting, page trees and glyphs are bounded, and the
// context is checked within each page. A damaged stream gives what came before the damage. A file with unusable
// cross-references, or with gaps in its page tree, is scanned for objects. Nothing is written to disk and nothing is
// fetched.
//
// # Limits
//
// Scanned pages have text only through Options.OCR. JPEG 2000 is passed on, not decoded. Colours are those of the
// device spaces, without profiles. Tables are found by rules and alignment only.
package pdf

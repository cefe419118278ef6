// Package docsearch is a library of documents: PDF, text, Markdown, HTML and JSON Lines go in, and searches say where things stand, by
// document, page, line and byte.
//
//	lib, err := blevestore.Open(ctx, "papers.idx", nil) // or memstore.Open(nil)
//	if err != nil {
//		return err
//	}
//	defer lib.Close()
//	for doc, err := range lib.AddAll(ctx, docsearch.Files("papers")) {
//		... // continues past a bad file
//	}
//	res, err := lib.Search(ctx, "synchronization signals", nil)
//	text, err := lib.View(ctx, res.Hits[0].Doc, docsearch.Lines{First: 120, Last: 160})
//
// # Model
//
// A [Library] holds documents in a driver.Store. A document's raw text is its pages in a row, each ending in a line end; all lines and offsets are
// those of that text, and what a search returns every reading call takes unchanged. The text is cut into chunks (package chunk), which are
// indexed together with figures, tables and titles. Formats are read by extractors (package extract): text, Markdown, HTML and JSON Lines are built
// in, docsearch/pdf reads PDF.
//
// A search tries three tiers: the words as a phrase, all words in a chunk, any word. Hits are grouped by document and carry their tier. Words are
// folded and stemmed, identifiers count whole and in parts, and words are joined across line ends.
//
// With an [Embedder] passages and queries have vectors as well, and a search joins the documents that the words find with those whose vectors are near
// ([ModeHybrid]), so that what is put in other words is found too; such hits say [TierSemantic].
//
// # Guarantees
//
// A document's id is the hex MD5 of its name, its path in the added folder, or what the caller chose ([Source.ID]). Adding a document again costs
// nothing when its content, its extractor and the options are the same; new content replaces the old in one step, and the result says so. The same id
// from another origin is a [*ConflictError]; [SourceOptions] have the ways out, a prefix for names and ids by content. A document that cannot be read is
// kept as failed with its reason. "None" is said only after the stored texts were searched too ([Searched]). Everything is safe for concurrent use.
//
// # Limits
//
// The "all" tier wants its words in one chunk. Stemming and stop words are English. A document is held in memory while it is added; files over
// [Options.MaxFile] are refused, and HTML over 32 MB. The list of documents is held in memory, some hundred bytes for each, and is read when the
// library is first asked. Documents are removed one by one, each with a write of its own. Markdown has no places: lines and
// offsets are always of the raw text. Whether sources changed is told by size and time, as this machine sees them: a search looks at those of its hits
// ([Hit.Source]), [Library.CheckSources] at all; between two looks nobody knows.
package docsearch

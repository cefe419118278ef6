// Package docsearch is a library of documents. It takes PDF, text, Markdown, HTML and JSON Lines, and its searches
// return the places that match: by document, page, line and byte.
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
// A [Library] holds documents in a driver.Store. A document's raw text is its pages in a row, each ending in a line
// end. All lines and offsets refer to that text, and every call that reads takes what a search returns unchanged. The
// text is cut into chunks (package chunk), which are indexed together with figures, tables and titles. Extractors read
// the formats (package extract): those for text, Markdown, HTML and JSON Lines are built in, and docsearch/pdf reads
// PDF.
//
// A search tries three tiers: the words as a phrase, all words in a chunk, any word. Hits are grouped by document and
// carry their tier. Words are folded and stemmed, identifiers count whole and in parts, and words hyphenated by a line
// end are joined.
//
// With an [Embedder] passages and queries also have vectors, and a search joins the documents that match by words with
// those whose vectors are near ([ModeHybrid]), and so finds other wordings too; such hits have [TierSemantic].
//
// # Guarantees
//
// A document's id is the hex MD5 of its name (its path in the added folder), or what the caller chose ([Source.ID]).
// Where several folders have a document of one path, each name begins with the folders that tell it from the others, as
// in "left//README.md", whatever the order of adding; a document that had the path alone is renamed then, and its old id
// still resolves to those that have the path. Documents keep their ids when their folder moves.
// Adding a document again costs nothing if its content, its extractor and the options are the same; new content
// replaces the old in one step, and the result says so. An id that a document from memory has, or one that a caller chose, from another
// origin is a [*ConflictError]; [SourceOptions] offer ways out: a prefix for names, and ids by content. A document that cannot be read is kept as
// failed, with the reason. A search reports "none" only after searching the stored texts too ([Searched]). Everything
// is safe for concurrent use.
//
// # Limits
//
// The "all" tier needs its words in one chunk. Stemming and stop words are English. A document is held in memory while
// it is added; files over [Options.MaxFile], and HTML over 32 MB, are refused. The list of documents is held in memory,
// some hundred bytes for each, and is read when the library is first used. Documents are removed one by one, each with
// a write of its own. The Markdown view has no places: lines and offsets always refer to the raw text. Sources are
// compared by size and time: a search checks the sources of its hits ([Hit.Source]), [Library.CheckSources] checks all
// of them, and a change between two checks is not noticed.
package docsearch

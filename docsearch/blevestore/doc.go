// Package blevestore keeps a library of documents on disk in one folder. It is the default engine: embedded, no server.
//
//	lib, err := blevestore.Open(ctx, "papers.idx", nil)
//	if err != nil {
//		return err
//	}
//	defer lib.Close()
//	for doc, err := range lib.AddAll(ctx, docsearch.Files("papers")) {
//		...
//	}
//	res, err := lib.Search(ctx, "synchronization signals", nil)
//
// # Model
//
// Merging, snapshots and crash safety are bleve's (its scorch index). Analysis, matching and ranking are those of
// docsearch/driver, evaluated over bleve's postings; its own analysers, queries and scoring are not used. The segment of a
// batch is written here, in the format of zapx, straight from the numbers of its terms. Phrases are decided on the stored text:
// no positions are kept.
//
// # On disk
//
//	VERSION      the layout's version, a decimal number: 2; another one is refused
//	LOCK         locked by the process that writes, with its pid
//	GENERATION   a generation that was written whole, a decimal number: an index that opens with less has lost a state
//	index/       a scorch index: root.bolt and one .zap file a segment
//
// The index holds one bleve document for each document and each record:
//
//	<doc>/d/0      field type ("doc"), and stored: meta, sums, layout (unless it is long). Where the document has record 0 of
//	               KindDocument (its title) also what a record has
//	<doc>/l        stored: layout, when it is longer than 1024 bytes
//	<doc>/K/N      K is d, c, f or t for the four kinds, N the record's number; fields K.words, K.idents, K.heads, K.length, and stored:
//	               start (decimal), text, data, heads, processed ("1"), vec ("1": it has a vector)
//	<doc>/vK/B     field vec (K), and stored: block, the vectors of the records 64·B to 64·B+63 of the kind, as float32
//
// meta is the document's Data. sums and the internal value "findspot.stats" are JSON: how many records, and how many tokens of
// each field, the document and the whole index hold by kind; the former with the numbers of the records where they do not run
// from 0 on, the latter with the generation. Field lengths stand where bleve keeps its norms, but for words: those are in
// K.length, as how often its one term stands in the record, and what stands with a word are notes of its neighbours (internal/segments/near.go). Every segment has all fields, in
// one order and with one set of options, and its type in root.bolt is "findspot".
//
// # Guarantees
//
// A document is replaced with all its records in one batch, which is on disk when the call returns; the process may be
// killed at any moment. What could not be written, for want of room, is seen by nobody, then or later. One process writes a folder;
// another that tries gets an error with its pid within two seconds. Any number of processes open it read-only meanwhile, and before, and none
// waits for another: a reader sees a state that was whole, and follows what is written at most half a second behind. Searches see
// whole documents only. All calls are safe for concurrent use.
//
// An index that lost files, or whose files were cut short, is an error wrapping docsearch.ErrFormat that names the folder,
// not a smaller library. Single bits that turned inside a file are looked for by Library.Check alone, and by a backup.
//
// # Limits
//
// A reader needs a folder for temporary files (TMPDIR) that takes symbolic links, on Windows the right to write in the index's own, and a file system
// that shows one process at once what another has written; network file systems may not. Segments that a reader has open use disk until it
// lets go of them. The list of documents and four bytes for each record are held in memory while searching.
package blevestore

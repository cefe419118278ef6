// Package blevestore keeps a library of documents on disk in one folder. It is the default engine: embedded, without a
// server.
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
// Bleve's scorch index provides merging, snapshots and crash safety. Analysis, matching and ranking are those of
// docsearch/driver, evaluated over bleve's postings; bleve's own analysers, queries and scoring are not used. This
// package writes the segment of a batch itself, in the format of zapx, straight from the numbers of its terms. Phrases
// are decided on the stored text: the index keeps no positions.
//
// # On disk
//
//	VERSION      the layout's version, a decimal number: 2; any other is refused
//	LOCK         locked by the process that writes, and holds its pid
//	GENERATION   a generation that was written completely, a decimal number: an index that opens with a lower one has lost a state
//	index/       a scorch index: root.bolt and one .zap file for each segment
//
// The index holds one bleve document for each document and each record:
//
//	<doc>/d/0      field type ("doc"), and stored: meta, sums, layout (unless it is long). If the document has record 0 of
//	               KindDocument (its title), also the fields of a record
//	<doc>/l        stored: layout, if it is longer than 1024 bytes
//	<doc>/K/N      K is d, c, f or t for the four kinds, N the record's number; fields K.words, K.idents, K.heads, K.length, and stored:
//	               start (decimal), text, data, heads, processed ("1"), vec ("1": it has a vector)
//	<doc>/vK/B     field vec (K), and stored: block, the vectors of the records 64·B to 64·B+63 of the kind, as float32
//
// meta is the document's Data. sums and the internal value "findspot.stats" are JSON: they count the records, and the
// tokens of each field, of the document and of the whole index by kind. sums also has the numbers of the records if
// they do not run from 0 on, and findspot.stats the generation. Field lengths are where bleve keeps its norms, except
// for words: their length is in K.length, as the count of its only term in the record, and the norm of a word holds
// notes about its neighbours (internal/segments/near.go). Every segment has all fields, in one order and with one set
// of options, and its type in root.bolt is "findspot".
//
// # Guarantees
//
// A document is replaced with all its records in one batch, which is on disk when the call returns; the process may be
// killed at any moment. What did not fit on a full disk never becomes visible. One process writes a folder; another
// that tries gets an error with the first one's pid within two seconds. Any number of processes may open it read-only
// before or meanwhile, and none waits for another: a reader sees a complete state, and follows new writes within half a
// second. Searches see whole documents only. All calls are safe for concurrent use.
//
// An index with missing or shortened files gives an error wrapping docsearch.ErrFormat that names the folder, not a
// smaller library. Only Library.Check and a backup look for single flipped bits inside a file.
//
// # Vectors
//
// A search looks at the codes of all vectors in scope, and of half as many documents again as are wanted, and 64 more, it reads the
// vectors themselves, so that the scores it gives are exact. Where no segment has codes, as in an index of less than 1,024
// vectors, all vectors are read, and what is found is exact. Otherwise the nearest may be missing if 64 others seem nearer:
// docs/bench/vectors.md says how often that was seen. Of a document of more than 64 passages the records are those that
// seem nearest. A million vectors of 384 numbers take 190 MB of codes, which a search reads from the mapped files; a process that
// asks for no vectors reads none of them.
//
// # Limits
//
// A reader needs a folder for temporary files (TMPDIR) that supports symbolic links (on Windows, the right to write in
// the index's own folder), and a file system that shows one process at once what another has written; network file
// systems may not. Segments that a reader has open use disk until it closes them. The list of documents, and four bytes
// for each record, are held in memory while searching.
package blevestore

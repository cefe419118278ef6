// Package elasticstore keeps a library of documents on a cluster of Elasticsearch (8, 9) or OpenSearch (1 to 3). It is for libraries that
// outgrow one machine, or that several programs write; on one machine blevestore needs no server.
//
//	lib, err := elasticstore.Open(ctx, []string{"https://search1:9200", "https://search2:9200"}, &elasticstore.Options{
//		Prefix: "papers-",
//		User:   "findspot", Password: os.Getenv("SEARCH_PASSWORD"),
//		CAFile: "/etc/ssl/search-ca.pem",
//	})
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
// Analysis, matching and ranking are those of docsearch/driver. The server gets tokens, under an analyser that only splits them: the places
// of words, so that it decides phrases, with stop words in a form that nothing but a phrase asks for. It counts terms; a script makes BM25 of
// the counts, with exact lengths and with statistics that it is given, so that scores do not depend on shards or on what was
// replaced and not yet removed. Its scores are rounded to 32 bits. What is returned is therefore scored again from the stored texts, and
// equals what other engines return to the last bit.
//
// Only APIs are used that both products have. The server must run scripts in its language painless, as both do unless it is
// forbidden (script.allowed_types). Vectors are compared by a script too, each with each: no plugin is needed, and what is found is
// exact.
//
// # In the cluster
//
// Four indices with one shard each (see Options.Shards), which are used through aliases: documents, document_chunks, document_figures and
// document_tables, all with Options.Prefix before their names. The indices themselves end in "-v1", the version of the
// mapping; it stands in their _meta, and one that is newer or foreign is refused. For each there is an index template, where the user has
// the right to write one. Records have the fields
//
//	parent_doc_id, n, start     the document, the number of the record in it, the byte of its raw text at which the record begins
//	text                        of a passage or a title; a figure has caption and ocr_text, a table caption and content
//	heads, data, vector, dims   as in driver.Record; vectors are big-endian 32-bit floats
//	processed                   false while something, such as the vector, is still to be made
//	words, idents, head_words   tokens, not kept in _source; word_count, ident_count, head_count say how many
//	type, batch, owner          see below
//
// and documents also holds an entry and a layout for each document, and one state.
//
// # Guarantees
//
// Requests of several operations are not atomic, so nothing that is written counts until the state says so. A change takes a batch number
// from the state, writes its records under it, makes them visible to searches, and then writes the state, under the condition that nobody
// wrote it meanwhile. That is one step for all documents of the change: readers see all of it or nothing. What was replaced is named in the
// state as dead, ignored, and removed with the next change, when opening, closing or checking; so is what a killed writer left,
// when its lease (Options.Lease) is over. A reader that is slower than that reads again.
//
// A change is acknowledged when all copies of the shards that are in step have it: with a replica, a node may be lost at any moment.
// Several processes may write; when two change one document at the same time, one of them gets an error wrapping docsearch.ErrStale.
// All calls are safe for concurrent use, and all are bounded in time and size; servers that are busy are asked again for a while.
// Passwords and keys are in no error and in no log.
//
// # Limits
//
// The ids of documents have at most 512 bytes, vectors at most 8,000 numbers, and one record or layout at most 90 MB. More than 60,000 documents
// that match are not counted (Hits.AtLeast). Queries that the index cannot decide (more than four identifiers in a row, some hundred words)
// are decided on the texts of at most 10,000 records. Records whose scores are nearer than 32 bits can tell are ordered exactly within the best
// 20 documents beyond the limit and 8 records of a document beyond theirs. A search takes five to seven requests.
//
// There is no Backup: use the snapshots of the cluster, of all four indices together and while nobody writes. Words are not in
// _source, so that the server cannot reindex: add the documents again. Elasticsearch is used as its documentation says and tried against a
// simulated server only; tests run against OpenSearch 2.19.
package elasticstore

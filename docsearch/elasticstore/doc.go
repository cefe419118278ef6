// Package elasticstore keeps a library of documents on a cluster of Elasticsearch (8, 9) or OpenSearch (1 to 3). It is
// for libraries that outgrow one machine, or that several programs write; on one machine blevestore needs no server.
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
// Analysis, matching and ranking are those of docsearch/driver. The server gets tokens, which its analyser only splits,
// with positions, so that it decides phrases; stop words have a form that only phrases use. A script computes BM25 from
// the server's counts of terms, with exact lengths and with statistics that this package supplies, so that scores do
// not depend on shards or on replaced records that are not yet removed. These scores are rounded to 32 bits. The
// results are therefore scored again from the stored texts, and equal other engines' to the last bit.
//
// The package uses only APIs that both products have. The server must run scripts in its language painless, which both
// allow unless it is forbidden (script.allowed_types). A script also compares the vectors, one by one: no plugin is
// needed, and the results are exact. Where a kind has more than 10,000 records, servers that find nearest vectors do so first:
// Elasticsearch since 8.12, and OpenSearch since 2.4 if all nodes have the plugin opensearch-knn. They may miss some of the
// nearest; the scores of what they find are exact. Indices that were made before stay with the script, and so does a
// search in whose scope a record lacks its place in the server's index.
//
// # In the cluster
//
// There are four indices with one shard each (see Options.Shards), used through aliases: documents, document_chunks,
// document_figures and document_tables, all with Options.Prefix before their names. The names of the indices themselves
// end in "-v1", the version of the mapping, which is also in their _meta; a newer or foreign one is refused. Each has
// an index template if the user has the right to write one. Records have the fields
//
//	parent_doc_id, n, start     the document, the number of the record in it, the byte of its raw text at which the record begins
//	text                        of a passage or a title; a figure has caption and ocr_text, a table caption and content
//	heads, data, vector, dims   as in driver.Record; vectors are big-endian 32-bit floats
//	near.dN                     a vector of N numbers in the server's own index, not kept in _source, where it has one
//	processed                   false while something, such as the vector, is still to be made
//	words, idents, head_words   tokens, not kept in _source; word_count, ident_count, head_count are their numbers
//	type, batch, owner          see below
//
// and documents also holds an entry and a layout for each document, and one state.
//
// # Guarantees
//
// Requests of several operations are not atomic, so nothing that is written counts until the state says so. A change
// takes a batch number from the state, writes its records under it, makes them visible to searches, and then writes the
// state, on condition that nobody else has written it meanwhile. That last write is one step for all documents of the
// change: readers see all of it or nothing. The state lists replaced records as dead; they are ignored, and removed by
// the next change, or when the library is opened, closed or checked. The same goes for what a killed writer left, once
// its lease (Options.Lease) is over. A reader that takes longer than the lease reads again.
//
// A change is acknowledged when all copies of the shards that are in step have it: with a replica, a node may be lost
// at any moment. Several processes may write; when two change one document at the same time, one of them gets an error
// wrapping docsearch.ErrStale. All calls are safe for concurrent use, and all are bounded in time and size; requests to
// busy servers are repeated for a while. Passwords and keys appear in no error and no log.
//
// # Limits
//
// The ids of documents have at most 512 bytes, vectors at most 8,000 numbers, and one record or layout at most 90 MB.
// Beyond 60,000 matching documents the total is only a lower bound (Hits.AtLeast). Queries that the index cannot decide
// (more than four identifiers in a row, some hundred words) are decided on the texts of at most 10,000 records. Records
// whose scores differ by less than 32 bits can show are ordered exactly only within the best 20 documents beyond the
// limit, and the best 8 records of a document beyond its limit. A search takes five to seven requests.
//
// There is no Backup: use the snapshots of the cluster, of all four indices together and while nobody writes. Words are
// not in _source, so that the server cannot reindex: add the documents again. Tests run against OpenSearch 2.19;
// Elasticsearch, used as documented, was tried only against a simulated server.
package elasticstore

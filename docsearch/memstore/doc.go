// Package memstore keeps a library of documents in memory: for tests, for small sets that need not last, and as the
// executable specification of docsearch/driver.
//
//	lib, err := memstore.Open(nil)
//	if err != nil {
//		return err
//	}
//	defer lib.Close()
//	doc, err := lib.Add(ctx, docsearch.Bytes("note.txt", data))
//	res, err := lib.Search(ctx, "synchronization signals", nil)
//
// The store is a set of maps behind one lock; a search looks at every record. It is safe for concurrent use. Nothing is
// written to disk, and everything is gone after Close.
//
// Limits: it is made for some thousands of passages. For more, and for PDFs, use blevestore.
package memstore

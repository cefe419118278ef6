// Package memstore keeps a library of documents in memory: for tests, for small sets that need not last, and as the
// executable specification of what docsearch/driver asks of an engine.
//
//	lib, err := memstore.Open(nil)
//	if err != nil {
//		return err
//	}
//	defer lib.Close()
//	doc, err := lib.Add(ctx, docsearch.Bytes("note.txt", data))
//	res, err := lib.Search(ctx, "synchronization signals", nil)
//
// The store is maps behind one lock; a search looks at every record. It is safe for concurrent use. Nothing is written to
// disk, and everything is gone after Close.
//
// Limits: made for some thousands of passages; use blevestore beyond that, and for PDFs, which it registers by itself.
package memstore

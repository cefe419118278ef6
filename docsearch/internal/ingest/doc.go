// Package ingest adds documents to a library. An [Ingester] takes sources and compares each with its entry in the
// catalog. If extractor and options are as before, a source of the same size and time is not read, and one with the
// same content is not extracted. Any other is read by its extractor, cut into records, given vectors, and written with
// others in one change of the driver.Store, or recorded as failed, with the reason. [Ingester.Embed] makes missing
// vectors. It does not depend on search.
package ingest

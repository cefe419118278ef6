// Package ingest adds documents to a library: sources go in, and each is compared with what the catalog has of it, read by its extractor, cut into records,
// given vectors, and written with others in one change of the driver.Store. An [Ingester] does that for one source or many; [Ingester.Embed] makes vectors that
// are missing. It remembers what could not be read, and why. It knows no search and no reading.
package ingest

// Package freshness compares documents with the files they came from, by size and time, without reading them. It takes
// entries of the catalog and returns a [State]: the same, changed, gone or unknown. For a file of JSON Lines it uses
// the newest time recorded with any of its documents. A [Tracker] remembers when sources were last compared. Package
// ingest decides whether a source is read again.
package freshness

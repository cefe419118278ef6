// Package freshness compares documents with the files they came from, by size and time and without reading them. Entries of the catalog go in, a [State]
// comes out: the same, changed, gone, or not to be told. Of a file of JSON Lines only the newest time that is recorded with one of its documents counts. A [Tracker] remembers
// when that was done last. It knows no search and no text.
package freshness

// Package segment is the two files of an index: base.seg, a whole index in sections with checksums ([Segment]), and delta.log, what
// changed since, a record an update ([Log]). Bytes go in and out; a segment is replaced as a whole, a record is on disk when Append
// returns, and of a log the records are read that are whole. A file of a newer version is a [NewerError], any other damage an error
// wrapping errs.Format. What the sections and records mean is not known here, but for the words, which it opens without reading
// their lists.
package segment

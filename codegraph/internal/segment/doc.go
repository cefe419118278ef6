// Package segment is the two files of an index: base.seg, a whole index in sections with checksums ([Segment]), and delta.log, what
// changed since, a record an update ([Log]). Bytes go in and out; a segment is replaced as a whole, a record is on disk when Append
// returns, and of a log the records are read that are whole. A file of a newer version is a [NewerError], any other damage an error
// wrapping errs.Format. What the sections and records mean is not known here, but for the words, which it opens without reading
// their lists.
//
// base.seg begins with an 8-byte magic, a format version and the checksum of both (uint32, little endian as all numbers), as any later
// version will, and a random id (uint64); then come offset and length (uint64) and checksum (uint32, CRC-32C) of its sections, and the
// checksum of all that. It is written to a temporary file, synced and renamed. Opening checks every section and reads two: the state, which
// says per path size, times, content hash and where the rest is, and per folder its times and what was found in it; and the blocks, which are
// in memory what they are on disk. The words are read with the first search, and facts, which are compressed one by one, when something is
// linked again.
//
// delta.log begins with a magic, the version and their checksum, the id of its segment, and the checksum of all that; a log with another id
// is left over and means nothing. A record is the length of its payload, a checksum of that and of the id, and the payload: the new blocks,
// words, facts and states of the files of one update. It is synced before the update returns.
package segment

// Package segment reads and writes the two files of an index: base.seg, a whole index in sections with checksums ([Segment]), and delta.log,
// a record for each later update ([Log]). A segment is replaced as a whole. A record is on disk when Append returns, and only the complete
// records of a log are read. A file of a newer version is a [NewerError], any other damage an error wrapping errs.Format. The package lists
// the sections but treats them and the records as bytes, except the words, which it opens without reading all of their lists; package
// storage puts their contents together.
//
// base.seg begins with an 8-byte magic, a format version and the checksum of both (uint32, little endian like all numbers), which every
// later version will keep, and a random id (uint64). Then come offset and length (uint64) and checksum (uint32, CRC-32C) of each section,
// and the checksum of all that. The file is written to a temporary file, synced and renamed. Opening an index checks every section and reads
// two: the state, which holds for each path its size, times, content hash and where its other data is, and for each folder its times and
// entries; and the blocks, which have the same form in memory as on disk. The words are read with the first search, and facts, which are
// compressed one by one, when something is linked again.
//
// delta.log begins with a magic, the version and their checksum, the id of its segment, and the checksum of all that; a log with another id
// is left over and ignored. A record is the length of its payload, a checksum of the payload and the id, and the payload: the new blocks,
// words, facts and states of the files of one update. It is synced before the update returns.
package segment

package cos

// Bounds on what one file may make us do. They are far above what documents need.
const (
	maxObjects     = 4_000_000 // highest object number, as pdfTeX and most writers stay far below
	maxObjectBytes = 64 << 20  // bytes of one object, without stream data
	maxItems       = 1 << 20   // elements of all arrays and dictionaries of one object
	maxDepth       = 64        // nesting of arrays and dictionaries
	maxResolve     = 24        // references followed in a row, and objects needed to read an object
	maxSections    = 4096      // cross-reference sections
	maxFindings    = 100_000   // object streams that a scan looks into
	maxFilters     = 8         // filters of one stream
	maxDecoded     = 64 << 20  // bytes of one decoded stream, and of what each of its filters gives
	bigDecoded     = 8 << 20   // from this size on only few streams are decoded at once
	bigAtOnce      = 2
	cacheBytes     = 6 << 20   // of parsed objects, estimated, in each of two generations
	cacheStreams   = 4 << 20   // of decoded object streams
	maxRead        = 256 << 20 // bytes of large objects and of object streams that are read in all, and eight for each of the file
	largeObject    = 64 << 10
	maxNotes       = 100  // faults reported for one file
	headerWithin   = 1024 // a reader looks through so many bytes for the header (ISO 32000-1, annex H, note 13)
)

// Package codegraph answers questions about a repository from a graph of its directories, files, classes and functions
// and of what they contain, import, invoke, inherit, mention and announce.
//
//	g, err := codegraph.Build(ctx, os.DirFS("flask"), langs, nil)               // in memory
//	ix, err := codegraph.Open(ctx, ".findspot/code/flask", "flask", langs, nil) // on disk, kept up to date
//	go ix.Watch(ctx, nil)                                                       // follows what is edited
//	g = ix.Graph()                                                              // the snapshot
//	hits, err := g.Search(ctx, "dispatch request", nil)
//	walk, err := g.Traverse(ctx, []string{"src/flask/app.py:Flask.run"}, &codegraph.TraverseOptions{Direction: codegraph.Callers})
//	_, err = walk.Write(os.Stdout, &codegraph.TreeOptions{Format: codegraph.FormatRich, MaxTokens: 1000})
//	texts, err := g.Retrieve(ctx, walk.IDs, &codegraph.RetrieveOptions{View: codegraph.Preview})
//
// # Model
//
// Front ends (package lang) turn each file into facts, a pure function of its bytes; the facts are kept by content
// hash, and indexes may share them (Options.Facts). A linker joins all facts into one immutable [Graph]. Ids are opaque strings: "/" is the root, "path/dir" a
// directory, "path/file.py" a file, "path/file.py:Class.method" a class or function, with "#2" after a repeated one.
//
// Every edge says how it is known ([Level]) and at which places. The caller of code at module level is the file; a
// decorator is invoked by the scope around it; a constructor call invokes the class, and the constructor that runs. A
// reference that could not be placed is kept under its last name ([Graph.Unresolved]), so that "no callers" can be
// told from "callers unknown".
//
// # On disk
//
//	LOCK       held by the one writer; readers need none
//	base.seg   a whole index: the state of the files, a block a file, the words, the facts
//	delta.log  what changed since, a record an update
//	parsed     a folder of facts, while many files are parsed and no folder for all is given; then what an interrupted pass left
//
// base.seg begins with an 8-byte magic, a format version and the checksum of both (uint32, little endian as all numbers), as any later
// version will, and a random id (uint64); then come offset and length (uint64) and checksum (uint32, CRC-32C) of its sections, and the checksum of all that. It is
// written to a temporary file, synced and renamed. Opening checks every section and reads two: the state, which says per
// path size, times, content hash and where the rest is, and per folder its times and what was found in it, and the blocks, which
// are in memory what they are on disk. The words are read with the first search, and facts, which are compressed one by one, when something is linked again.
//
// delta.log begins with a magic, the version and their checksum, and the id of its segment, and the checksum of all that; a log with another id is left
// over and means nothing. A record is the length of its payload, a checksum of that and of the id, and the payload: the
// new blocks, words, facts and states of the files of one update. It is synced before the update returns. When the log
// is over 4 MB and a third of the segment a new segment is written. A record that was not written whole ends the log, and
// its files are read again. Any other damage makes the index be built anew. Both are logged and said in [Changes]; a file
// of a newer version is an error wrapping [ErrFormat].
//
// Parsed facts, for other indexes or after an interruption, lie in files NAME.facts, which are written once and renamed: a magic,
// a version, the number of entries and the checksum of their table; a table with a hash of everything that the facts depend on, the
// length and the checksum of each; then the facts, compressed one by one.
//
// # Guarantees and limits
//
// A Graph is immutable and safe for concurrent readers; it keeps no source text and reads it, checked by hash, when it
// is asked for. An [Index] is safe for concurrent use. Files over 2 MB, binary files, ignored files and unreadable
// folders are skipped and listed with the reason. Symbolic links are not followed. Sources are text in UTF-8, in UTF-16 with a
// byte order mark, in the encoding that a Python file declares (PEP 263), or else in Windows-1252. Front ends, searches and answers
// have them in UTF-8 without the mark: lines are those of the file, columns count bytes of that form. Linking uses no types beyond what
// annotations, constructors and assignments show.
package codegraph

// Package codegraph answers questions about a repository from a graph of its directories, files, classes and functions
// and of what they contain, import, invoke and inherit.
//
//	g, err := codegraph.Build(ctx, os.DirFS("flask"), langs, nil)               // in memory
//	ix, err := codegraph.Open(ctx, ".findspot/code/flask", "flask", langs, nil) // on disk, kept up to date
//	g = ix.Graph()                                                              // the snapshot
//	hits, err := g.Search(ctx, "dispatch request", nil)
//	walk, err := g.Traverse(ctx, []string{"src/flask/app.py:Flask.run"}, &codegraph.TraverseOptions{Direction: codegraph.Callers})
//	err = walk.WriteTree(os.Stdout)
//	texts, err := g.Retrieve(ctx, walk.IDs, &codegraph.RetrieveOptions{View: codegraph.Preview})
//
// # Model
//
// Front ends (package lang) turn each file into facts, a pure function of its bytes; the facts are cached by content
// hash. A linker joins all facts into one immutable [Graph]. Ids are opaque strings: "/" is the root, "path/dir" a
// directory, "path/file.py" a file, "path/file.py:Class.method" a class or function, with "#2" after a repeated one.
//
// Every edge says how it is known ([Level]) and at which places. The caller of code at module level is the file; a
// decorator is invoked by the scope around it; a constructor call invokes the class, and the constructor that runs. A
// reference that could not be placed is kept under its last name ([Graph.Unresolved]), so that "no callers" can be
// told from "callers unknown".
//
// # On disk
//
// A directory with two files, each written whole to a temporary file, synced and renamed:
//
//	LOCK     held by the one writer
//	facts    the cache: per content hash the facts and the words of the bodies
//	files    the state: per path the size, time and content hash of the last pass, skipped files, settings
//
// Both begin with an 8-byte magic, a format version (uint32, little endian), the length of the payload (uint64) and its
// SHA-256; then the payload follows. The graph itself is linked again from the facts when the index is opened: it is
// always what a fresh build would give, whatever was interrupted before. A file that fails its check is rebuilt, which
// is logged and said in [Changes]; one of a newer version is an error wrapping [ErrFormat].
//
// # Guarantees and limits
//
// A Graph is immutable and safe for concurrent readers; it keeps no source text and reads it, checked by hash, when it
// is asked for. An [Index] is safe for concurrent use. Files over 2 MB, binary files, ignored files and unreadable
// folders are skipped and listed with the reason. Symbolic links are not followed. Linking uses no types beyond what
// annotations, constructors and assignments show.
package codegraph

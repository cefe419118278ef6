// Package codegraph answers questions about a repository from a graph of its directories, files, classes and functions and of their edges:
// contain, import, invoke, inherit, reference and, in C and C++, define (from a declaration without a body, such as a prototype in a header,
// to its definition). It searches ([Graph.Search]), follows edges ([Graph.Traverse]), returns the texts of entities ([Graph.Retrieve]), and
// ranks the places that an issue is about ([Graph.Locate]).
//
//	g, err := codegraph.Build(ctx, os.DirFS("flask"), langs, nil)               // in memory
//	ix, err := codegraph.Open(ctx, ".findspot/code/flask", "flask", langs, nil) // on disk, kept up to date
//	go ix.Watch(ctx, nil)                                                       // follows what is edited
//	g = ix.Graph()                                                              // the snapshot
//	hits, err := g.Search(ctx, "dispatch request", nil)                         // fmt.Println(hits) prints them for people
//	walk, err := g.Traverse(ctx, []string{"src/flask/app.py:Flask.run"}, &codegraph.TraverseOptions{Direction: codegraph.Callers})
//	_, err = walk.Write(os.Stdout, &codegraph.TreeOptions{Format: codegraph.FormatRich, MaxTokens: 1000})
//	texts, err := g.Retrieve(ctx, walk.IDs, &codegraph.RetrieveOptions{View: codegraph.Preview})
//
// # Model
//
// Front ends (package lang) turn each file into facts, a pure function of its bytes. The facts are kept by content hash, and indexes may
// share them (Options.Facts). A linker joins the facts of all files into one immutable [Graph]. Ids are opaque strings: "/" is the root,
// "path/dir" a directory, "path/file.py" a file, "path/file.py:Class.method" a class or function, with "#2" after a repeated one.
//
// Every edge says how it is known ([Level]) and at which places. The caller of code at module level is the file. A decorator is invoked by
// the scope around it. A constructor call invokes the class and the constructor that runs. A reference whose target was not found is kept
// under its last name ([Graph.Unresolved]), so that "no callers" differs from "callers unknown".
//
// # On disk
//
// The folder of an index holds base.seg (a whole index), delta.log (a record for each later update) and LOCK (held by the one writer;
// readers need no lock). A segment is written beside the old one, synced and renamed, and every section has a checksum. A record that a
// crash left half written ends the log, and its files are read again; after any other damage the index is rebuilt. Both are logged and
// reported in [Changes]. A file of a newer version is an error wrapping [ErrFormat]. Parsed facts are stored in a folder of the index while
// many files are parsed, or in a folder that indexes share (Options.Facts).
//
// # Guarantees and limits
//
// A Graph is immutable and safe for concurrent readers. It keeps no source text: it reads a source when it is asked for, and checks its
// hash. An [Index] is safe for concurrent use. Files over 2 MB, binary files, ignored files and unreadable folders are skipped and listed
// with the reason. Symbolic links are not followed. Sources are text in UTF-8, in UTF-16 with a byte order mark, in the encoding that a
// Python file declares (PEP 263), or else in Windows-1252. Front ends, searches and answers get them in UTF-8 without the mark: lines are
// those of the file, columns count bytes of the UTF-8 text. Linking uses no types beyond what annotations, constructors and assignments
// show.
package codegraph

// Package findspot gives coding agents knowledge that can be checked: it searches and reads research documents and code, and
// everything that it returns has its exact place. It needs no server, no model and no network.
//
// A [Workspace] joins four rooms: public packages, with packages inside, that can each be used alone. They are docsearch
// (three-tier full-text search of documents), codegraph (a graph of directories, files, classes and functions), lspclient
// (language servers as functions) and skill (workflows that are enforced step by step).
//
//	ws, err := findspot.Open(ctx, ".findspot", nil)
//	if err != nil {
//		return err
//	}
//	defer ws.Close()
//	for doc, err := range ws.AddDocs(ctx, "papers") { ... }     // goes on past a bad file
//	_, err = ws.AddRepo(ctx, "receiver", nil)
//	ans, err := ws.Ask(ctx, "how is the PSS detected, and who calls detect_pss?", nil)
//	for _, it := range ans.Items {
//		fmt.Println(it.Key, it.At, it.Text)                   // D1 D2 ... C1 C2 ...
//	}
//
// # What an answer is
//
// An [Answer] is evidence, not prose. Its items are passages, figures and tables of documents (keys D1, D2, ...) and entities
// and callers of code (C1, C2, ...), each with its exact place and the text found there. Its Assumptions say how the question
// was understood, and its Problems what could not be searched. "None" is an answer too: a [Verdict] tells "there are none" from
// "we could not tell". Package skill/agent has a model write prose from evidence.
//
// # Positions
//
// Lines and columns count from 1, columns in bytes; ranges are half-open, except that ranges of whole lines include the last
// line. Pages count from 1, offsets in bytes from 0. Paths are slash-separated and relative to the repository's root. Reading
// calls take unchanged what a search returns.
//
// # On disk
//
// A workspace is one folder: docs/ (the document index) and code/<name>-<hash of the root>/ (a graph for each repository). One
// process writes at a time. A second one gets a [LockedError] within two seconds, or, with Options.Beside, reads the graphs as
// they were last saved. Other folders are written only by tools that write, where [Options] says so, and by language servers,
// some of which keep data in the user's cache folder.
//
// # Languages
//
// All languages except Go are parsed by tree-sitter and need a C compiler; built with CGO_ENABLED=0 the package supports Go
// only. [Languages] lists what is supported.
package findspot

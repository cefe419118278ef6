// Package findspot gives coding agents grounded knowledge: research documents and code, searched and read with the exact
// place of everything that is returned, so that anyone can check it. No server, no model and no network is needed.
//
// A [Workspace] joins the rooms, each of which can be used alone: docsearch (documents in, three-tier full-text search
// out), codegraph (a graph of directories, files, classes and functions), lspclient (language servers as functions) and
// skill (workflows that are enforced step by step).
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
// An [Answer] holds items, not prose: passages, figures and tables of documents (keys D1, D2, ...), entities and callers
// of code (C1, C2, ...), each with its exact place and the text found there. What was assumed to understand the question
// is said in Assumptions, what could not be looked at in Problems. "None" is an answer too, and [Verdict] tells "there
// are none" from "we could not tell".
//
// # Positions
//
// Lines and columns count from 1, columns in bytes, ranges are half-open; ranges of whole lines are inclusive; pages
// count from 1, offsets in bytes from 0. Paths are slash-separated and relative to the repository's root. What a search
// returns, every reading call takes unchanged.
//
// # On disk
//
// A workspace is one folder: docs/ (the document index) and code/<name>-<hash of the root>/ (a graph for each
// repository). One process writes at a time; a second one gets a [LockedError] within two seconds, or with Options.Beside
// reads the graphs as they were saved last. Nothing outside of the folder is written.
//
// # Languages
//
// All languages but Go are parsed by tree-sitter and need a C compiler; built with CGO_ENABLED=0 the package knows Go
// alone. [Languages] says which there are.
package findspot

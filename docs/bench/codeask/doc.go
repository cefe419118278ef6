// Codeask measures how well questions in plain words find the function that they are about:
//
//	codeask [-systems NAME,NAME] [-model DIR] [-v] QUESTIONS CLONES INDEXES
//
// QUESTIONS is a file of JSON lines, as in the folder questions: {"repo", "commit", "kind", "question", "gold"}. Gold are the ids of one to
// three functions that answer. CLONES holds the repositories, each in a folder with the last part of its name, at the commit that the
// questions say; INDEXES holds a workspace for each, which is made if it is missing.
//
// Systems: search is [findspot.Workspace.SearchCode] for functions, locate [findspot.Workspace.Locate] for functions, ask the entities of
// [findspot.Workspace.Ask], any the same search without kinds, and bm25 a plain BM25 over the words of functions, identifiers taken apart,
// without test code as the others. Each is asked for fifty.
//
// With -model, vectors of functions take part, made with the embedding model in that folder and kept in INDEXES.
//
// It prints for each system, in total and by repository and kind: the share of questions whose first function is right, one of the first three, of the first
// ten; and the mean reciprocal rank.
package main

// Locate measures how well [codegraph.Graph.Locate] finds the files and functions that past fixes changed, and tunes its
// weights:
//
//	locate eval  [-weights FILE] [-without NAME,NAME] [-history DIR] [-model DIR] [-ablate] [-v] FIXES[,FIXES] TREES INDEXES
//	locate embed -model DIR [-best N] FIXES[,FIXES] TREES INDEXES
//	locate fit   [-weights FILE] [-pull X] FIXES[,FIXES] TREES INDEXES
//	locate learn [-weights FILE] [-rounds N] [-names a,b] FIXES[,FIXES] TREES INDEXES
//	locate rank  FILE TREE INDEX
//
// FIXES is a file of JSON lines (.gz is allowed): {"id", "repo", "lang", "kind", "query", "gold_files", "gold_funcs"}. The
// query is the text that asked for the fix, the gold files and functions are what the fix changed. In place of "gold_funcs" a
// line may have "hunks": by path, changed lines [first, last] before the fix. TREES/ID holds the repository before the fix, and
// INDEXES/ID its index, which is made if it is missing. DIR/ID is the output of git log at that commit, in the format
// [codegraph.HistoryFormat].
//
// Eval prints, for each language, for each kind and in total: the share of fixes for which the first k files contain all
// changed files, and any of them; the same for functions, once more counting only those that existed before the fix ("there
// before"); and the mean reciprocal rank of the first changed file.
//
// Fit finds the additive weights of the file ranking by maximum likelihood: a file's probability is proportional to the
// exponential of its score. It fits five times without a fifth of the repositories and prints how well the fixes of those are
// ranked; then it fits with all.
//
// Learn changes one weight after another and keeps each change that increases the discounted gain of files and functions.
//
// Embed makes the vectors of functions and classes that eval, fit and learn use with -model: of all of them, or of those of the
// N best files of each fix by words. They are kept in INDEXES/facts, by content.
//
// Rank prints how long Locate takes to rank the places of TREE for the text in FILE.
package main

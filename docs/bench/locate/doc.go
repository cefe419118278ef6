// Locate measures how well [codegraph.Graph.Locate] finds what fixes that were made have changed, and sets its weights:
//
//	locate eval  [-weights FILE] [-without NAME,NAME] [-history DIR] [-ablate] [-v] FIXES[,FIXES] TREES INDEXES
//	locate fit   [-weights FILE] [-pull X] FIXES[,FIXES] TREES INDEXES
//	locate learn [-weights FILE] [-rounds N] [-names a,b] FIXES[,FIXES] TREES INDEXES
//	locate rank  FILE TREE INDEX
//
// A line of FIXES (JSON, may be compressed as .gz) is {"id", "repo", "lang", "kind", "query", "gold_files", "gold_funcs"}: the text that asked for the
// fix, and what the fix changed; in place of "gold_funcs" it may have "hunks", lines of the files before by path, [first, last]. TREES/ID holds the
// repository before the fix. INDEXES/ID is its index, which is made when it is not there. DIR/ID is what git log printed at that commit, in
// the form that [codegraph.HistoryFormat] says.
//
// Eval prints, for each language, kind and all: the share of fixes with all files that were changed in the first k, with any, the same for
// functions, those that were there before alone ("there before"), and the mean reciprocal rank of the first file.
//
// Fit finds the weights of files that add up: those under which the changed files are likeliest, where a file is as likely as the exponential of its
// score. It does so five times, each without a fifth of the repositories, and prints how the fixes of these are ranked; then with all.
// Rank prints how long it takes to rank the places of TREE for the text in FILE. Learn goes from weight to weight and keeps what makes the discounted gain of files and functions larger.
package main

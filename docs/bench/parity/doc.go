// Parity compares findspot with LocAgent (arXiv 2503.09089) on the same repositories, by content, and fails when anything that
// findspot has falls by more than 5 % against the committed baseline:
//
//	parity tools    [-v] [-baseline FILE [-update]] OUTPUTS.json NAME=DIR...
//	parity graph    [-v] [-baseline FILE [-update]] NAME THEIRS.json DIR
//	parity localise [-baseline FILE [-update]] [-theirs FILE] [-work DIR] ISSUES REPOSITORIES
//
// Tools replays tool calls of LocAgent. OUTPUTS.json is a list of {"repo", "global_import", "tool", "args", "text"}, and DIR is the
// repository of that name at the same commit. Trees are compared edge by edge, sources and outlines line by line.
//
// Graph compares whole graphs. THEIRS.json is written by graph.py, which runs the graph builder of a checkout of LocAgent.
//
// Localise scores places that are found for the texts of issues by LocAgent's measures. ISSUES has SWE-bench's published form
// (package swebench). REPOSITORIES has git directories: OWNER/NAME, OWNER__NAME or OWNER+NAME, bare or not, also with the git
// directory inside as "repo" or ".git"; issues of others, and of commits that are not there, are counted as absent. THEIRS has
// LocAgent's output form, {"instance_id", "found_files", "found_modules", "found_entities"} a line; both are scored on the issues
// that are present, by the same evaluator. Indexes are kept in the folder of -work, in which issues of a repository share what is
// known of its files.
//
// Without -baseline nothing is compared with the past. With it, the numbers of this part are compared with those of the file, and
// with -update they replace them.
package main

// Living measures what becomes of saved answers after their documents and code are edited: which broken sentences are named, which others are left alone, and whether evidence
// that moved is found again where it is now.
//
//	go run ./docs/bench/living            # a table by kind of edit
//	go run ./docs/bench/living -missed    # and what was missed
//
// The files are in corpus.txt, in blocks that the edits move and change, so that it is known by construction where each fact stands afterwards, and whether it still does. They are
// written to a temporary folder.
package main

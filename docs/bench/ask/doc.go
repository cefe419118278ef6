// Ask measures how soon an answer shows the place that answers a question:
//
//	ask index   -passages DIR [-embed URL] DOCUMENTS
//	ask eval    -index DIR [-passages DIR] [-embed URL] [-systems NAME,NAME] [-v] QUESTIONS
//	ask fit     -index DIR QUESTIONS
//	ask explain -index DIR QUESTIONS
//
// DIR of -index is a workspace that holds the documents and repositories that the questions are about; that of -passages an index of passages of 700
// characters, which index makes. QUESTIONS are files of JSON lines, as in the folder questions; docs/bench/ask.md says of what.
//
// Eval asks systems: ask is [findspot.Workspace.Ask], tiers the three tiers of docs search, bm25 passages by BM25 alone, hybrid these and the nearest by the
// vectors of an embedding server, by reciprocal rank. It prints, for each kind of question: the share whose first piece answers, one of the first three, of
// the first ten; whose first piece is of a document or file that answers; that are said to have no answer; and in the median the tokens up to the end of the
// piece that answers (of all of the answer where none does), and of all of the answer.
//
// Fit prints the weights of package relevance under which the pieces that answer are likeliest, where a piece is as likely as the exponential of its score.
// Explain prints, for questions that are not answered first, the first piece and the first that answers, with their signals.
package main

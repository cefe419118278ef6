// Package intent reads what a question asks for. The text of a question goes in; out come the symbols whose callers or uses are asked for
// (with where the question looks for them), the topic that is left, and the words that are written like identifiers. The forms ("who calls X",
// "where is X used", "X's callers") are read by a hand-written grammar over words, and judged by labelled questions in testdata. It knows nothing of
// repositories and documents: whether a symbol exists is for the caller to find out.
package intent

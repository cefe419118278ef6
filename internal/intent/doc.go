// Package intent reads what a question asks for. It takes the text of a question and returns the symbols whose callers or uses are asked for (with
// where the question looks for them), the rest of the question as its topic, and the words that are written like identifiers. A hand-written grammar
// over words reads the forms ("who calls X", "where is X used", "X's callers"); labelled questions in testdata measure it. It does not depend on
// repositories or documents: package symbol finds out whether a symbol exists.
package intent

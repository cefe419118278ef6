// Package hyphen puts words together that the end of a line divides. A [Vocabulary] holds the words of a document, which decide where such a word
// keeps its hyphen; no dictionary is needed. It takes lines of running text and returns them joined. It does not depend on where lines come from.
package hyphen

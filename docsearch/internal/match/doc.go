// Package match finds where the words of a query stand in a text, and cuts the snippet that shows most of them. A text, words and phrases as
// package driver groups them go in; byte ranges come out, in order. Words match as the engines' tokens do: whole identifiers and their parts, and words that a line
// end cut. It knows no document, tier or score.
package match

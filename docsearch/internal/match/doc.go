// Package match finds the words of a query in a text, and cuts the snippet that shows most of them. It takes a text and
// the words and phrases as package driver groups them, and returns byte ranges in order. Words match as the engines'
// tokens do: whole identifiers, their parts, and words hyphenated by a line end. It is not for engines, and does not
// depend on documents, tiers or scores.
package match

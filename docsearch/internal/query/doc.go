// Package query decides what a query asks for: [New] turns its text into a [Plan], whose variants are the wordings that a [Glossary] makes of it, with what must and must
// not be held, the documents it names by number, and how all of it was understood. A plan also says, without an index, how a text matches at a [Tier]. It
// knows no documents and no search.
package query

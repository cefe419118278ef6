// Package query decides what a query asks for. [New] turns its text into a [Plan]: variants (the query and the wordings
// that a [Glossary] adds), phrases that must and must not occur, documents mentioned by number, and how it was
// understood. A plan also reports, without an index, how a text matches at a [Tier]. Package querytext splits the text;
// the caller looks up document numbers. It runs no search.
package query

// Package driver defines what a search engine implements to hold a library of documents. Users of docsearch do not need
// it.
//
// A [Store] keeps four indices ([Kinds]). A document is replaced with all its records in one step. Everything that all
// engines must do alike is done in docsearch: the order of the tiers, grouping, snippets, ids. An engine only matches
// and ranks, and both are defined here to the last bit, so that all engines give equal results:
//
//   - [Analyze] turns the text of a record into two token fields: words are the parts of its written words, idents are
//     whole identifiers. The record's heads are a third field, of words alone.
//   - A [Group] matches a record as its comment says. Words in a row (phrases) are decided on the text, by [PhraseCount]: an index
//     need not hold positions, and may only narrow the choice.
//   - [BM25] is the score of a term in a record, summed in the order of [ScoreTerms]. The score of a phrase uses the phrase's
//     own count and the sum of its parts' idf.
//
// memstore is the executable specification; drivertest tests an engine against it.
//
// In a store of several documents the statistics of a kind are those of all its records: the number of records, the
// number of records that hold a term, and the mean number of tokens of the field.
package driver

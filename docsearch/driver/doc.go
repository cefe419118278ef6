// Package driver is what a search engine implements to hold a library of documents. Users of docsearch do not need it.
//
// A [Store] keeps four indices ([Kinds]). A document with all its records is replaced in one step. Everything that all
// engines must do alike is done above them: the order of the tiers, grouping, snippets, ids. What is left is matching and
// ranking, and that is defined here to the last bit, so that engines give equal results:
//
//   - [Analyze] turns the text of a record into two token fields. words are the parts of its written words; idents are the
//     wholes of identifiers. Its heads are a third one, of words alone.
//   - A [Group] matches a record as its comment says. Words in a row are decided on the text, by [PhraseCount]: an index
//     need hold no positions, and may only narrow.
//   - [BM25] is the score of a term in a record, summed in the order of [ScoreTerms]; for a phrase it is taken of the phrase's own count, with
//     the sum of its parts' idf.
//
// memstore is the executable specification; drivertest holds an engine to it.
//
// On a store of several documents the statistics of a kind are those of all its records: the number of records, the
// number of records that hold a term, and the mean number of tokens of the field.
package driver

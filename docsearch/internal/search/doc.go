// Package search finds the documents that match a plan: [Run] tries the tiers of words in the indices of a driver.Store, reads stored texts before none is
// said, fuses the list of the words with that of the vectors, and ranks. The [Search] it returns gives the documents, the [Passage]s of
// each with their places and snippets, and words that may have been meant. A section that is asked for limits all of it. It knows no text of a query (package query) and
// not what an answer looks like.
package search

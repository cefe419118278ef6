// Package search finds the documents that match a plan. [Run] tries the word tiers one after another in the indices of
// a driver.Store, scans the stored texts before it reports that there is no match, fuses the word results with the
// vector results, and ranks. The [Search] it returns holds the documents, the [Passage]s of each with their places and
// snippets, and suggestions for misspelled words. A requested section limits the whole search. Package query parses the
// query, and the caller formats the answer.
package search

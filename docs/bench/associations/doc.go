// Associations measures what words that go with those of a query gain, on test collections in the form of the shared relevance folder (package judged):
//
//	associations [-forms] FOLDER...
//
// It prints nDCG@10 of the words of a query, as docs search has them in all tiers, with [docsearch.SearchOptions.Related], the difference, how many
// queries gain and lose, and the probability that chance alone makes a difference of this size (a paired test by random signs).
//
// With -forms it compares ways to find such words, over the any-word tier alone, scored in memory: those published, and that of docsearch with other constants.
// Behind them stands, for each folder, what the constants gain there that are best on all other folders.
package main

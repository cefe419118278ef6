// Package text turns text into the tokens that every search of this module matches, so that a document store, an entity search and the selection of a
// skill agree on what a word is.
//
// A [Token] is one written word. Its parts are what prose search matches ("maxNrofSSBs-1" is max, nrof, ssb, 1); its whole is what an exact
// identifier search matches ("maxnrofssbs-1"). Offsets are bytes of the input, so that a match can be shown where it stands.
//
// Parts are folded ([Fold]) and stemmed with the English Snowball stemmer (Porter 2). Characters of scripts written without blanks (Han, Kana) are
// tokens of their own, so that a run of them is found as a phrase.
package text

// Package block is the form that a file has in a graph, in memory and on disk alike: its entities, the edges that it makes, the
// references that it leaves open and its text in one run of bytes ([Block]), what reaches it from others ([Incoming]), and the
// words of its entities ([Words], [Lexicon]). Bytes go in, checked once; fields come out without decoding or copying. Numbers of
// other blocks are only handed through: which path has which number, the graph knows.
package block

// Package block defines the form of one file in a graph, the same in memory and on disk. A [Block] holds the file's entities, its edges, its
// unresolved references and its text in one run of bytes; [Incoming] holds the edges that reach it from other blocks; [Words] and [Lexicon]
// hold the words of its entities. The bytes are checked once, and fields are read without decoding or copying. Which path has which block
// number is up to package snapshot.
package block

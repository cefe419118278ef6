// Package sourcetext says what the path and the text of a file tell without a parser: whether a program wrote it, whether it is code
// of others or of tests, whether it is text that is worth its words, where the comment above a declaration begins, and which words each declaration holds. A path
// and bytes go in, an answer comes out. [PlainText] is the front end of files that no front end reads. It reads no files and
// knows nothing of graphs.
package sourcetext

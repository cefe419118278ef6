// Package sourcetext takes the path and the text of a file and finds, without a parser: whether a program wrote it, whether it is
// third-party or test code, whether it is text worth indexing, where the comment above a declaration begins, and which words each
// declaration holds. [PlainText] is the front end for files of no known language. The package reads no files and does not depend on graphs.
package sourcetext

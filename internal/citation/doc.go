// Package citation reads what a citation points to, so that a quote can be checked. It takes a place, checks what the place says besides its
// position, and returns the text there, as answers show it, with the hash of the file and the program that reads it. [Sources] reads the library and
// the repositories of a workspace; [Folders] reads folders without any index. Package skill/evidence decides whether a quote stands in the text.
package citation

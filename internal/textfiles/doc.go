// Package textfiles knows the files of a repository and their texts. A [Tree] gives them as they are now. While it keeps them, it remembers which files there
// are and what cannot be in each, so that a search of text reads few of them; the system tells what has changed, or else the times of files do.
package textfiles

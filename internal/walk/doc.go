// Package walk lists the files of a repository that belong to it: not what .gitignore leaves out, not what tools and
// package managers put there, nothing behind a symbolic link.
package walk

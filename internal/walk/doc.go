// Package walk lists the files that belong to a repository. It leaves out what .gitignore excludes, the folders that tools and package managers
// create, and everything behind a symbolic link.
package walk

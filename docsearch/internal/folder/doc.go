// Package folder finds the documents below a folder, or the single file that a path names. It yields files in the order
// of their paths, each with a function that opens it, and leaves out links that lead out of the folder and names that
// begin with a dot. It does not depend on a library.
package folder

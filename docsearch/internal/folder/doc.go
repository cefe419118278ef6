// Package folder finds the documents below a folder, or the one that a path names: files go out by their path, in order, with what opens them. Links that
// lead out of the folder, and names that begin with a dot, are left out. It knows no library, and reads no document.
package folder

// Package pattern puts a cheap look at a text before a regular expression that is tried on every line or word of a document.
// It knows nothing of PDF.
package pattern

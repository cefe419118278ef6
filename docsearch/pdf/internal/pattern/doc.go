// Package pattern wraps a regular expression with a cheap check that skips most texts, for expressions tried on every
// line or word of a document. It does not depend on PDF.
package pattern

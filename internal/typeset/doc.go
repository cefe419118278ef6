// Package typeset makes small PDFs of lines of text, for tests and measurements.
package typeset

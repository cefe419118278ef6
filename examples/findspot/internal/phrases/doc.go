// Package phrases finds the places of phrases in a PDF, for the command pdf.
package phrases

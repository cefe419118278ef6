// Package budget counts what reading a document costs, so that no file makes us work without end. What goes in is the size of the
// file and the units that each step takes; what comes out is an error once they are spent. It knows nothing of PDF: the
// steps are named by its constants. What one page may cost besides is bounded where pages are read.
package budget

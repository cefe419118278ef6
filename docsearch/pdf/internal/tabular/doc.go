// Package tabular groups the words of a page for finding tables. It takes a canvas and the frame in which most of its
// text runs to the right, and returns words, rows of words on one baseline from top to bottom, and the pieces of a row
// divided by wide gaps. It reports whether a text is a number as columns hold them, or a year, and whether words are
// running text. It does not depend on rules or tables.
package tabular

// Package tabular reads the words of a page as tables hold them. A canvas goes in, with the frame in which most of its text runs
// right; out come words, rows of words on one baseline from top to bottom, and the pieces of a row that a wide gap divides. It
// says of a text whether it is a figure, as columns hold them, or a year, and of words whether they are running text. It knows
// neither rules nor tables.
package tabular

// Package entail judges by words whether some evidence says what a sentence claims: its numbers with their units, its names, whether something is or is not, how
// much at most or at least, of all or of some, done or planned, under which condition, and which subject that belongs to, as a row and column of a table. A judgement is
// Supported, Unsupported with the reason and the words, or Undecided, when words cannot tell. There is no model.
package entail

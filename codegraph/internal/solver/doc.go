// Package solver is a constraint solver: it finds the least solution of equations over sets of abstract values. Each equation is
// a cell, computed by the [Rule] of its kind, and computed again whenever something that it has read changes, until nothing does.
// The solution does not depend on the order of the work, so that a part of it can be computed again after an edit and joined with
// the rest: a [Cone] gathers what rests on changed cells and forgets it. What the cells stand for it does not know.
package solver

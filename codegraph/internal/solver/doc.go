// Package solver is a constraint solver: it finds the least solution of equations over sets of abstract values. Each equation is a cell. The
// [Rule] of its kind computes it, again whenever something that it has read changes, until nothing changes. The solution does not depend on
// the order of the work, so that after an edit a part of it can be recomputed and joined with the rest: a [Cone] gathers the cells that
// depend on changed cells and forgets their values. It does not depend on what the cells stand for.
package solver

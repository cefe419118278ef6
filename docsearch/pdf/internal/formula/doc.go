// Package formula writes displayed formulas as TeX: fractions, roots, exponents and indices, limits and numbers of equations. Lines
// and the rules between them go in, TeX comes out. It also says whether a line looks like a part of a formula. It knows
// nothing of the rest of the page.
package formula

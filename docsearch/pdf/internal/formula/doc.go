// Package formula writes displayed formulas as TeX: fractions, roots, superscripts and subscripts, limits and equation
// numbers. It takes lines and the rules between them and returns TeX. It also reports whether a line looks like part of
// a formula. Package inline writes formulas within a line.
package formula

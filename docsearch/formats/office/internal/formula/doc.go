// Package formula writes formulas of office documents (OMML, ECMA-376 part 1, section 22.1) as a line of text, in the way that people type them: x^2, (a+b)/c, √(x),
// ∑_(i=1)^n i. Parts of more than one sign get parentheses.
package formula

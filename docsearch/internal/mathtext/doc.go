// Package mathtext writes formulas of LaTeX as a line of readable text: \frac{a}{b} becomes a/b, \alpha becomes α, and what stands above or below is
// marked by "^" and "_". It knows the commands of LaTeX and amsmath, not those that a document defines.
package mathtext

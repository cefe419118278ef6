// Package numeral writes the numbers of lists in letters and in Roman numerals.
package numeral

// Package clause reads the numbers of headings: "5.3.5.3", "A.1.2", "Annex A", "Chapter 3", "IV.".
package clause

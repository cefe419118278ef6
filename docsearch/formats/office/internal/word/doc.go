// Package word reads documents of WordprocessingML (ECMA-376 part 1, section 17): text as it stands when all tracked changes are accepted, headings and lists with the
// numbers that Word counts, tables, notes, comments, captions, formulas.
package word

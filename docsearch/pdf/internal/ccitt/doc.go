// Package ccitt decodes the facsimile compressions of ITU-T T.4 (Group 3, one- and two-dimensional) and T.6 (Group 4)
// as PDF (ISO 32000-1, 7.4.6) and JBIG2 (MMR, ITU-T T.88, 6.2.6) use them.
//
// Memory is bounded: the size of the picture is known before a row is decoded. Damaged data gives the rows before the
// damage; one-dimensional data resumes at the next end-of-line code.
package ccitt

// Package layout makes lines of text out of glyphs: gaps, accents, text drawn twice, letters set apart, writing from right to left, form
// fields. The glyphs of a canvas go in, in the order of the content; segments and lines come out in that order, which is the
// reading order of nearly every producer. It also turns pages whose text runs another way (Frame), and knows the words of a
// document (Vocabulary), which tell where a divided word keeps its hyphen. It knows nothing of what lines mean.
package layout

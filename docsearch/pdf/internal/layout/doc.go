// Package layout makes lines of text out of glyphs. It handles gaps, accents, text drawn twice, spaced-out letters,
// right-to-left writing and form fields. It takes the glyphs of a canvas and returns segments and lines in the order of
// the content stream, which nearly every producer writes in reading order, even with two columns. It moves only
// right-to-left text on a line, and the values of form fields to their labels. A Frame turns a page whose text runs
// another way. It does not depend on what lines mean.
package layout

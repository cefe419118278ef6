// Package font reads the fonts of a file: their encodings, CMaps, and embedded TrueType, CFF and Type 1 programs. A font
// dictionary goes in; a Font comes out, which turns the strings of a content stream into characters with text and advance.
// Where a font does not say what its codes mean, they are guessed from names and advances. Fonts are kept in a Set for all
// who read pages of the file. It knows nothing of pages, of graphics, and of how glyphs look.
package font

// Package font reads the fonts of a file: their encodings, CMaps, and embedded TrueType, CFF and Type 1 programs. It
// takes a font dictionary and returns a Font, which turns the strings of a content stream into characters with text and
// advance. Codes that a font does not explain are guessed from glyph names and advances. A Set holds the fonts for all
// readers of the file. It does not depend on pages or graphics, and does not draw glyphs.
package font

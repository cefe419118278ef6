// Package encoding knows the character encodings of PDF and of TeX's fonts (ISO 32000-1, annex D), and what glyph names stand for.
// Codes and names go in, Unicode text comes out; "" where it is not known. It also decodes text strings, such as titles.
// It knows nothing of font files and of objects.
package encoding

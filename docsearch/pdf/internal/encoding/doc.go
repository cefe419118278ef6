// Package encoding holds the character encodings of PDF and of TeX's fonts (ISO 32000-1, annex D) and the meanings of
// glyph names. It takes codes or names and returns Unicode text, "" if unknown. It also decodes text strings, such as
// titles. It does not depend on font files or PDF objects.
package encoding

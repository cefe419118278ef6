// Package jbig2 decodes the bi-level pictures of ITU-T T.88 (JBIG2) as PDF embeds them (ISO 32000-1, 7.4.7): a sequence
// of segments without a file header, after the segments of a global stream.
//
// It reads generic, refinement, text and halftone regions, symbol and pattern dictionaries and code tables, in
// arithmetic, Huffman and MMR coding. It does not read colours or the extended template of twelve adaptive pixels.
//
// Pixels, symbols and work are limited, and the context is checked. Damaged data gives what was decoded before the
// damage, with the error.
package jbig2

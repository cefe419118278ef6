// Package jbig2 decodes the bi-level pictures of ITU-T T.88 (JBIG2) as PDF embeds them (ISO 32000-1, 7.4.7): a sequence of segments
// without a file header, and the segments of a global stream before them.
//
// Generic, refinement, text and halftone regions, symbol and pattern dictionaries and code tables are read, in arithmetic,
// Huffman and MMR coding. Not read are colours and the extended template of twelve adaptive pixels.
//
// Nothing is unbounded: pixels, symbols and work are counted against limits, and the context is looked at. Damaged data gives
// what was decoded before the damage, with the error.
package jbig2

// Package visible makes text that is not trusted safe to show, to people and to models: what would not be seen, or would change what is seen around
// it, is written as "[U+202E]". That are control characters and terminal escapes, bidirectional overrides and marks, zero-width and other invisible
// characters, tags, and bytes that are no UTF-8 ("[0xFF]"). Text that is what it looks like is returned as it is.
//
// Sources: Unicode Standard Annex #9 (bidirectional controls), Technical Standard #39 (security mechanisms), Annex #31 section 2.3 (joiners).
package visible

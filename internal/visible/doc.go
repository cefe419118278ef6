// Package visible makes text that is not trusted safe to show, to people and to models: what would not be seen, or would change what is seen around
// it, is written as "[U+202E]". That are control characters and terminal escapes, bidirectional overrides and marks, zero-width and other invisible
// characters, tags, and bytes that are no UTF-8 ("[0xFF]"). Text that is what it looks like is returned as it is.
//
// A letter of another script that makes a name look like a Latin one is written out too: "p[U+0430]yload" has a Cyrillic letter. Only names whose
// letters of other scripts in a row all look like Latin ones are meant; sentences of other languages, units and quantities ("kΩ", "σmax") stay.
// One letter alone, and a Greek small letter that names quantities at the beginning or end of a word, stay as well. In JSON the letter becomes an
// escape like the others, so that its values are the same.
//
// Sources: Unicode Standard Annex #9 (bidirectional controls), Technical Standard #39 (security mechanisms), Annex #31 section 2.3 (joiners), confusables.txt of #39.
package visible

// Package visible makes untrusted text safe to show to people and models. Characters that would not be seen, or would change what is seen around
// them, are written as "[U+202E]": control characters and terminal escapes, bidirectional overrides and marks, zero-width and other invisible
// characters, and tags. Bytes that are not UTF-8 are written as "[0xFF]". Other text is returned unchanged.
//
// A letter of another script that makes a name look like a Latin one is written out too: "p[U+0430]yload" has a Cyrillic letter. This applies only to
// names in which all letters of a run in another script look like Latin ones; sentences of other languages, units and quantities ("kΩ", "σmax") stay.
// A letter that stands alone also stays, and so does a Greek small letter that names quantities at the beginning or end of a word. In JSON such a
// letter, like the other characters, becomes an escape, so that the values stay the same.
//
// Sources: Unicode Standard Annex #9 (bidirectional controls), Technical Standard #39 (security mechanisms), Annex #31 section 2.3 (joiners),
// confusables.txt of #39.
package visible

// Package complete finds out what a language server leaves out of an answer without a word, and adds what it can be made to
// tell: files that it was never shown, does not list or excludes, other names of a symbol, code that the preprocessor switches
// off, and Java sources without their dependencies. In go a session, the server's answer in its own terms and the name; out
// come the places that were missing, and the reason when some must still be. The package resolves no names and knows no
// results of callers.
package complete

// Package complete finds what a language server silently leaves out of an answer, and makes the server add what it can: files that it was never
// shown, does not list or excludes, other names of a symbol, code that the preprocessor switches off, and Java sources without their dependencies. It
// takes a session, the server's answer in the server's terms, and the name. It returns the places that were missing, and the reason if some must
// still be missing. It does not resolve names and does not depend on the results that callers see.
package complete

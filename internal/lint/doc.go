// Package lint keeps the rules of this module that a compiler does not: its tests fail when a rule is broken.
//
//	go test ./internal/lint
//
// The rules: which room may import which (the table of docs/design.md, section 1, which must read the same there and here);
// what a room must not link; that the rooms build without cgo; that every package has a doc.go; that no file is over 800
// lines without a comment "// long:" that says why; that no exported signature names a type of another module; that there is
// no init function, no exported variable but errors, no context kept in an exported struct, and no use of the default logger.
//
// [Load] gives the packages of the module as go list and the compiler's export data show them, with their types.
//
// Limits: imports of tests are not checked. What is seen depends on the platform's build constraints.
package lint

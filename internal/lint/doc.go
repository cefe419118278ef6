// Package lint keeps the rules of this module that a compiler does not check: its tests fail if a rule is broken.
//
//	go test ./internal/lint
//
// The rules: which package may import which (the table of docs/design.md, section 1, which must be the same there and here); what a package must not
// link; that the public packages without tree-sitter grammars build without cgo; that every package has a doc.go; that no package has over 30 files,
// no file over 600 lines and no type methods in over 5 files, except those listed in testdata/shape.txt; that user files are read only through
// internal/rootfs; that no exported signature names a type of another module; that there is no init function, no exported variable except errors, no
// context kept in an exported struct, and no use of the default logger; and that docs/architecture.md names only what exists.
//
// [Load] returns the packages of the module, with their types, as go list and the compiler's export data describe them.
//
// Limits: the imports of tests are not checked. What is checked depends on the platform's build constraints.
package lint

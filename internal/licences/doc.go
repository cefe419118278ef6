// Licences checks that everything linked into the packages of this module may be used in an Apache-2.0 program.
//
//	go run ./internal/licences -test ./...
//	go run ./internal/licences -modfile=.ci/tools.mod tool
//
// The arguments are those of go list. With -test it reads what tests link, too; the second line is for the tools that check the module.
// It walks what the packages link, reads each licence file of each module (at the module's root, and between the root and a linked
// package, where a part copied from elsewhere keeps its own), and recognizes it by its words. Apache-2.0, MIT, BSD, ISC, MPL-2.0 and the Unlicense pass. A copyleft licence, an unknown one and a missing one
// fail, with the module's name, on standard error and with exit status 1. The list of modules goes to standard output,
// sorted by path.
//
// Limits: it reads licence files, not the heads of source files; it sees the build constraints of the machine it runs on.
package main

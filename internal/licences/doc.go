// Licences checks that everything linked into the packages of this module may be used in an Apache-2.0 program.
//
//	go run ./internal/licences -test ./...
//	go run ./internal/licences -modfile=.ci/tools.mod tool
//
// The arguments are those of go list. With -test it includes what tests link; the second command checks the tools that check the module. For each
// linked module it reads every licence file (at the module's root, and between the root and a linked package, where a part copied from elsewhere
// keeps its own) and recognizes the licence by its words. Apache-2.0, MIT, BSD, ISC, MPL-2.0 and the Unlicense pass. If a licence is copyleft,
// unknown or missing, the program prints the module's name on standard error and exits with status 1. It prints the list of modules on standard
// output, sorted by path.
//
// Limits: it reads licence files, not the heads of source files; it sees the build constraints of the machine it runs on.
package main

// Package apitest keeps the exported API of every public package in a file, so that each change of it shows in a diff.
//
//	go test ./internal/apitest -update
//
// A file of testdata/api holds one package: constants, variables, functions, types with their exported fields and methods,
// one a line, sorted. A change needs a line in CHANGELOG.md.
package apitest

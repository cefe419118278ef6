// Package apitest keeps the exported API of every public package in a file, so that each change of the API shows in a diff.
//
//	go test ./internal/apitest -update
//
// Each file of testdata/api lists one package: constants, variables, functions, and types with their exported fields and methods, one a line, sorted.
// A change needs a line in CHANGELOG.md.
package apitest

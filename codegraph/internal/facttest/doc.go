// Package facttest has a language whose facts are written by hand, for tests of what works on facts. A [Language] is a front end
// with the rules and modules that a test wants; [Files] are a state of a repository. It is imported by tests alone.
package facttest

// Package facttest provides a language whose facts are written by hand, for tests of packages that take facts. A [Language] is a front end
// with the rules and modules that a test needs; [Files] is a state of a repository. Only tests import it.
package facttest

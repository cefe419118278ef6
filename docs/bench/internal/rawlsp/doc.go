// Package rawlsp is a minimal client of a language server, for programs that measure: it returns the server's answers as they
// are.
package rawlsp

// Package rawlsp talks to a language server with next to nothing in between, for programs that measure: what it says is what
// the server says.
package rawlsp

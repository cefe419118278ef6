// Package protocol has the names of the Language Server Protocol's methods, and the forms of what is sent to servers, as far as they
// are used here. It takes values and returns JSON. It does not depend on servers; what they answer is read by package wire.
//
// The source is the specification, version 3.18: https://microsoft.github.io/language-server-protocol/specifications/lsp/3.18/specification/.
// Lines and characters count from 0; what a character is depends on the encoding that was agreed on.
package protocol

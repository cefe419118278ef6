// Package excerpt shortens what servers say, so that it can be quoted in an error or a note. In goes any text, out comes
// text of bounded size. It knows nothing of servers or the protocol.
package excerpt

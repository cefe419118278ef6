// Package excerpt shortens what servers say, so that an error or a note can quote it. It takes any text and returns text of bounded size. It does not
// depend on servers or the protocol.
package excerpt

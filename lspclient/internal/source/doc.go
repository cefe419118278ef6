// Package source holds the text of a source file as a server and its callers count in it. In goes a file or its bytes, out
// come its lines, the identifiers on them, and places in it: ours (lines and byte columns from 1) and a server's (UTF-8,
// UTF-16 or UTF-32 units from 0, by the line ends that the server knows). It also turns paths into file URIs and back. It
// knows nothing of servers, sessions or questions, and of the protocol only its positions.
package source

// Package source holds the text of a source file and counts positions in it as a server and as callers do. It takes a file or its bytes and gives its
// lines, the identifiers on them, and places in it: ours (lines and byte columns from 1) and a server's (UTF-8, UTF-16 or UTF-32 units from 0, by the
// line ends that the server recognizes). It also converts paths to file URIs and back. It does not depend on servers, sessions or questions, and uses
// only the positions of the protocol.
package source

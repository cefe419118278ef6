// Package edit turns a server's workspace edit into a preview: checked edits of single words, by file, and a unified diff. In go
// the edits in the protocol's form and a session to convert positions with; nothing is written. The package asks servers
// nothing.
package edit

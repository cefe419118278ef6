// Package edit turns a server's workspace edit into a preview: checked edits of single words, by file, and a unified diff. It takes the edits in the
// protocol's form and a session that converts positions. It writes nothing and asks no server.
package edit

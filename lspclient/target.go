package lspclient

import "fmt"

// Target is what a question is about: a name or a place. Make one with [Named] or [At].
type Target struct {
	name      string
	path      string
	line, col int
}

// Named asks about the symbol of that name, written as people write it: "getUser", "Flask.dispatch_request",
// "pkg.Type.Method", "(*Type).Method", "A::b", "Class#m", or with the file in front, "path/file.py:Class.method". The
// last part is the identifier; the parts before it must end the chain of what contains it (classes, packages, folders).
// Upper and lower case count when a symbol matches exactly, and not otherwise.
func Named(name string) Target { return Target{name: name} }

// At asks about the identifier at a place. The path is slash-separated and relative to the client's root (or absolute
// and inside it), line and column count from 1, the column in bytes. A column that is not on an identifier means the
// nearest identifier of the line, and Result.Note says so.
func At(path string, line, col int) Target { return Target{path: path, line: line, col: col} }

// String returns the name, or path:line:col.
func (t Target) String() string {
	if t.path == "" {
		return t.name
	}
	return fmt.Sprintf("%s:%d:%d", t.path, t.line, t.col)
}

// Name returns the name that the target was made with, "" for a place.
func (t Target) Name() string { return t.name }

// Place returns the place that the target was made with; path is "" for a name.
func (t Target) Place() (path string, line, col int) { return t.path, t.line, t.col }

package symbols

import "fmt"

// Query is what a question is about: a name, or a place in a file.
type Query struct {
	Name      string // "" for a place
	Path      string
	Line, Col int
}

// At asks about the identifier at a place.
func At(path string, line, col int) Query { return Query{"", path, line, col} }

// String returns the name, or path:line:col.
func (t Query) String() string {
	if t.Path == "" {
		return t.Name
	}
	return fmt.Sprintf("%s:%d:%d", t.Path, t.Line, t.Col)
}

package lspclient

import (
	"github.com/findspot/findspot/lspclient/internal/place"
)

// State says how far an answer can be trusted to be the whole answer.
type State string

const (
	// Complete: the server had read the workspace, and nothing moved while it answered. The list is all it knows.
	Complete State = "complete"
	// Indexing: the server was still reading the workspace when the time was up. There may be more.
	Indexing State = "indexing"
	// Unstable: the server said it was ready, but two answers to the same question differed until the time was up. The
	// last one is given.
	Unstable State = "unstable"
	// Degraded: something is known to be missing or wrong; Reason says what (a package that does not load, a location
	// that does not fit its file, another workspace folder that was not asked).
	Degraded State = "degraded"
)

// Location is a half-open range in a file. Lines and columns count from 1, columns in bytes; EndLine and EndCol name the
// place just behind the last byte.
//
// Path is slash-separated and relative to the client's root. A location outside the root, such as the standard library
// or an installed package, has its absolute path, with forward slashes (see [Location.Outside]). A location that is no
// file has its URI as Path and the server's own columns, counted from 1.
type Location struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Col     int    `json:"col"`
	EndLine int    `json:"end_line"`
	EndCol  int    `json:"end_col"`
}

// Answer is what every answer says about itself.
type Answer struct {
	State State `json:"state"`
	// Reason says why the state is not complete; empty when it is.
	Reason string `json:"reason"`
	// Progress is how much of the workspace the server says it has read, in percent; 0 when it does not say, or when it
	// is done.
	Progress int `json:"progress,omitempty"`
	// Note says what was assumed, such as a column that was moved to the identifier on its line; often empty.
	Note string `json:"note"`
	// Server is the name and version of the server that answered, such as "gopls v0.23.0".
	Server string `json:"server"`
}

// Result is the answer to a question about one symbol. It is the caller's own and may be changed.
type Result struct {
	// Target is the identifier the question was about: what the name was resolved to, or what the column was on.
	Target Location `json:"target"`
	// Locations are sorted by path, line and column, each place once. Never null in JSON.
	Locations []Location `json:"locations"`
	// Aliases are the names that imports among all references (whatever the limit and the path filter) give the target
	// ("import f as g", in Python and Rust): servers take them for other symbols, so that the uses of such a name are not
	// among Locations. Ask for the references at it; [Client.IncomingCalls] follows them. Empty for other questions.
	Aliases []Location `json:"aliases,omitempty"`
	Answer
	// Total counts the distinct locations before the limit; Truncated says that the limit left some out.
	Total     int  `json:"total"`
	Truncated bool `json:"truncated"`
}

// None reports whether the server says that there is nothing: no location, and the answer is complete. An empty list
// with any other state says only that nothing has been found so far.
func (r *Result) None() bool { return r.Total == 0 && r.State == Complete }

// Symbol is a declaration in a file, with what is declared in it.
type Symbol struct {
	Name string `json:"name"` // as the server writes it, decoration removed
	// Kind is the protocol's word in lower case: "function", "method", "class", "struct", "variable", ...
	Kind      string `json:"kind"`
	Container string `json:"container"` // names of the symbols around it joined with dots, "" at the top
	Detail    string `json:"detail"`    // the server's remark, such as a signature; may be empty
	// Location is the whole declaration; Selection is its name.
	Location  Location `json:"location"`
	Selection Location `json:"selection"`
	Children  []Symbol `json:"children"` // in the order of the file; never null in JSON
}

// SymbolResult holds the declarations of one file in the order of the file, or those of [Client.WorkspaceSymbols] in its
// order.
type SymbolResult struct {
	Path    string   `json:"path"`    // empty for symbols of the workspace
	Symbols []Symbol `json:"symbols"` // never null in JSON
	Answer
	// Total counts the symbols in the list before the limit, those inside others not; Truncated says that the limit left
	// some out.
	Total     int  `json:"total"`
	Truncated bool `json:"truncated"`
}

// Outside reports whether the location is not below the client's root: its path is absolute, or a URI that is no file.
func (l Location) Outside() bool {
	return place.Location(l).Outside()
}

// HoverResult is what a server has to say about a symbol.
type HoverResult struct {
	// Target is the identifier the question was about.
	Target Location `json:"target"`
	Answer
	// Text is the signature and the documentation, at most 64 KiB; empty when the server has nothing to say.
	Text string `json:"text"`
	// Markdown says that Text is in Markdown; else it is plain.
	Markdown bool `json:"markdown"`
}

// None reports whether the server has nothing to say about the target, and the answer is complete.
func (r *HoverResult) None() bool { return r.Text == "" && r.State == Complete }

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
	Target place.Location `json:"target"`
	// Locations are sorted by path, line and column, each place once. Never null in JSON.
	Locations []place.Location `json:"locations"`
	// Aliases are the names that imports among all references (whatever the limit and the path filter) give the target
	// ("import f as g", in Python and Rust): servers take them for other symbols, so that the uses of such a name are not
	// among Locations. Ask for the references at it; [Client.IncomingCalls] follows them. Empty for other questions.
	Aliases []place.Location `json:"aliases,omitempty"`
	Answer
	// Total counts the distinct locations before the limit; Truncated says that the limit left some out.
	Total     int  `json:"total"`
	Truncated bool `json:"truncated"`
}

// None reports whether the server says that there is nothing: no location, and the answer is complete. An empty list
// with any other state says only that nothing has been found so far.
func (r *Result) None() bool { return r.Total == 0 && r.State == Complete }

// SymbolResult holds the declarations of one file in the order of the file, or those of [Client.WorkspaceSymbols] in its
// order.
type SymbolResult struct {
	Path    string         `json:"path"`    // empty for symbols of the workspace
	Symbols []place.Symbol `json:"symbols"` // never null in JSON
	Answer
	// Total counts the symbols in the list before the limit, those inside others not; Truncated says that the limit left
	// some out.
	Total     int  `json:"total"`
	Truncated bool `json:"truncated"`
}

type (
	Location = place.Location
	Symbol   = place.Symbol
)

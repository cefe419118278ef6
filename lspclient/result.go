package lspclient

import (
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/session"
)

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
	session.Answer
	// Total counts the distinct locations before the limit; Truncated says that the limit left some out.
	Total     int  `json:"total"`
	Truncated bool `json:"truncated"`
}

// None reports whether the server says that there is nothing: no location, and the answer is complete. An empty list
// with any other state says only that nothing has been found so far.
func (r *Result) None() bool { return r.Total == 0 && r.State == session.Complete }

// SymbolResult holds the declarations of one file in the order of the file, or those of [Client.WorkspaceSymbols] in its
// order.
type SymbolResult struct {
	Path    string         `json:"path"`    // empty for symbols of the workspace
	Symbols []place.Symbol `json:"symbols"` // never null in JSON
	session.Answer
	// Total counts the symbols in the list before the limit, those inside others not; Truncated says that the limit left
	// some out.
	Total     int  `json:"total"`
	Truncated bool `json:"truncated"`
}

type (
	Location = place.Location
	Symbol   = place.Symbol
)

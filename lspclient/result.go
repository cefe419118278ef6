package lspclient

import (
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/session"
)

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

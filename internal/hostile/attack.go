package hostile

import "testing"

// An Attack is one row of the suite.
type Attack struct {
	Door string // what it comes through: see Doors
	Name string // what is tried
	Must string // what must happen
	Run  func(t *testing.T)
}

// Doors returns the ways in.
func Doors() []string {
	return []string{"library", "tools", "cli", "mcp", "http", "skills", "pdf", "html", "documents", "archives", "repositories", "language servers", "indexes"}
}

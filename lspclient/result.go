package lspclient

import (
	"time"

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

// ServerStatus tells about one server of the registry, see [Client.Servers].
type ServerStatus struct {
	Name      string   `json:"name"`
	Languages []string `json:"languages"`
	// Command is the program's path, or the name looked for when it is not installed.
	Command string `json:"command"`
	Version string `json:"version"` // empty when unknown
	// Installed: on PATH, outside the root, and its probe succeeded. Running: at least one process serves this client.
	// Ready: every one of them has read its workspace.
	Installed bool `json:"installed"`
	Running   bool `json:"running"`
	Ready     bool `json:"ready"`
	// Install is the command that installs it.
	Install string `json:"install"`
	// Problem says why it is not installed or not ready; empty when all is well.
	Problem string `json:"problem"`
	// Processes are those that run for this client, one for each workspace folder, sorted by folder. Never null in JSON.
	Processes []ServerProcess `json:"processes"`
}

// ServerProcess is one run of a server.
type ServerProcess struct {
	Folder string `json:"folder"` // the workspace folder, relative to the root; "." is the root
	PID    int    `json:"pid"`
	// PIDs are all processes that belong to it, its own first, the others sorted. On systems other than Linux it is alone.
	PIDs []int `json:"pids"`
	// Memory is what they have resident, in bytes; what they share counts for each. 0 when it is not known.
	Memory int64     `json:"memory"`
	Since  time.Time `json:"since"` // when it was started
	// Idle is how long it has not been asked anything, in nanoseconds in JSON; 0 while a question is under way.
	Idle      time.Duration `json:"idle"`
	Documents int           `json:"documents"` // open in it
	// Network is what it has of the network: "none" (the kernel gives it none), "variables" (the kernel does not allow
	// that here, so that only the usual variables tell programs to stay off it) or "open" (Options.Trust).
	Network string `json:"network"`
	Ready   bool   `json:"ready"`   // it has read its folder
	Problem string `json:"problem"` // why not, or what it complains about; empty when all is well
}

type (
	Location = place.Location
	Symbol   = place.Symbol
)

package findspot

import (
	"time"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/lspclient"
)

// ServerOptions say how a workspace uses language servers. The zero value of each field is its default.
type ServerOptions struct {
	// File holds entries of servers in YAML, see [lspclient.ParseServers]. Empty: the file findspot/servers.yaml in the user's
	// configuration folder ([os.UserConfigDir]), where it exists. An entry names a command to run, so a file inside a repository
	// of the workspace is refused.
	File string
	// NoFile leaves the user's own file out.
	NoFile bool
	// Entries come before those of the file, and the file's before the shipped ones. An entry takes the place of one of its name.
	Entries []lspclient.ServerSpec
	// Prefer names entries that come before all others, such as "ty" where pyright is installed too.
	Prefer []string
	// Timeout bounds calls whose context has no deadline, a server's start included; 0 means 30 s.
	Timeout time.Duration
	// IdleTimeout, MaxServers and MaxMemory limit the servers of each repository, see [lspclient.Options]: 0 means 10 minutes, 8, and
	// half of the machine's memory for one server.
	IdleTimeout time.Duration
	MaxServers  int
	MaxMemory   int64
}

// ServerStatus is the state of one language server for one repository.
type ServerStatus struct {
	Repo string `json:"repo,omitempty"` // the repository's name where there are several
	lspclient.ServerStatus
}

// A StartedServer says what came of starting one server in one folder of a repository.
type StartedServer struct {
	Repo string `json:"repo,omitempty"` // the repository's name where there are several
	lspclient.StartedServer
}

// A Placed is a place that a language server gave, joined with the code graph.
type Placed struct {
	// Entity is the innermost function or class around the place, else its file. Its id begins with the repository's name where
	// there are several. It is the zero Entity outside of the repository.
	Entity codegraph.Entity `json:"entity"`
	lspclient.Location
	Text string `json:"text"` // the place's first line, without the blanks around it, at most 1,000 bytes; "" outside of the repository
}

// Places is a language server's answer about one symbol, with the function or class around each place. It says of itself
// what [lspclient.Result] does: an empty list means "none" only when None says so.
type Places struct {
	lspclient.Result
	Repo   string   `json:"repo,omitempty"` // the repository's name where there are several
	Placed []Placed `json:"locations"`      // one for each of Locations, in their order; never null in JSON
}

// Entities lists the functions, classes and files that hold the places, each once, in the order of the places.
func (p *Places) Entities() []codegraph.Entity {
	out := []codegraph.Entity{}
	seen := map[string]bool{}
	for _, x := range p.Placed {
		if x.Entity.ID != "" && !seen[x.Entity.ID] {
			seen[x.Entity.ID] = true
			out = append(out, x.Entity)
		}
	}
	return out
}

// A Hover is what a language server says of a symbol.
type Hover struct {
	lspclient.HoverResult
	Repo string `json:"repo,omitempty"` // the repository's name where there are several
}

// A PlacedCall is one end of calls, joined with the code graph.
type PlacedCall struct {
	lspclient.Call
	// Entity is the caller or callee in the graph: the innermost function or class around its name, else its file. It is the zero
	// Entity outside of the repository.
	Entity codegraph.Entity `json:"entity"`
	Text   string           `json:"text"` // the line of the first site, as in Placed
}

// CallList is the answer to a question about calls. It says of itself what [lspclient.CallsResult] does.
type CallList struct {
	lspclient.CallsResult
	Repo   string       `json:"repo,omitempty"` // the repository's name where there are several
	Placed []PlacedCall `json:"calls"`          // one for each of Calls, in their order; never null in JSON
}

// A PlacedDiagnostic is what a language server complains about, joined with the code graph.
type PlacedDiagnostic struct {
	lspclient.Diagnostic
	Entity codegraph.Entity `json:"entity"` // the innermost function or class around the place, else the file
	Text   string           `json:"text"`   // the place's first line, as in Placed
}

// DiagnosticList is what a language server complains about in one file. It says of itself what [lspclient.DiagnosticsResult] does.
type DiagnosticList struct {
	lspclient.DiagnosticsResult
	Repo   string             `json:"repo,omitempty"` // the repository's name where there are several
	Placed []PlacedDiagnostic `json:"diagnostics"`    // one for each of Diagnostics, in their order; never null in JSON
}

// A Renaming is the preview of a renaming. Nothing has been written.
type Renaming struct {
	lspclient.RenameResult
	Repo string `json:"repo,omitempty"` // the repository's name where there are several; paths are relative to its root
}

// A PlacedSymbol is a declaration that a language server found, joined with the code graph.
type PlacedSymbol struct {
	lspclient.Symbol
	Entity codegraph.Entity `json:"entity"` // the innermost function or class around its name, else its file
	Repo   string           `json:"repo,omitempty"`
}

// SymbolList holds the symbols of all repositories whose names match a query.
type SymbolList struct {
	lspclient.Answer                // its state is that of the weakest answer
	Placed           []PlacedSymbol `json:"symbols"` // by repository, in the order of addition; best matches first in each; never null in JSON
	Total            int            `json:"total"`   // before the limit
	Truncated        bool           `json:"truncated"`
}

// None reports whether there is no such symbol, by complete answers.
func (l *SymbolList) None() bool { return l.Total == 0 && l.State == lspclient.Complete }

// An Observed says what came of asking the language servers about entities.
type Observed struct {
	codegraph.Overlaid          // what became of all that was observed in this workspace so far
	Found              int      `json:"found"`   // references that these servers gave now and that lead to the entities
	Servers            []string `json:"servers"` // who answered, with versions, sorted
	Notes              []string `json:"notes"`   // what could not be asked, or not in full, by entity
}

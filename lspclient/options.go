package lspclient

import (
	"context"
	"log/slog"
	"time"
)

// Options of a [Client]. The zero value of each field is its default.
type Options struct {
	// Trust lets servers use the network and run a repository's build code as they do in an editor. Without it they are
	// started with the network switched off as far as the tools behind them can be told (see the package comment).
	Trust bool
	// Servers are entries added to the registry, ahead of the shipped ones; one of the same name replaces a shipped
	// entry. Never fill it from a file of the repository: an entry names a command to run. See [ParseServers].
	Servers []ServerSpec
	// Prefer names entries that come before all others, the first one first, such as "ty" where pyright is installed
	// too. A name that is no entry is an error of [Open].
	Prefer []string
	// Locate finds places of a name that a server's own symbol search does not know; the lines matter, columns may be 0.
	// It must be safe for concurrent use. Nil: no such help.
	Locate func(ctx context.Context, name string) ([]Location, error)
	// Timeout bounds every call whose context has no deadline, starting the server included; 0 means 30 s.
	Timeout time.Duration
	// IdleTimeout: a server that has not been asked anything for so long is stopped; the next question starts it again and
	// shows it the files it needs. 0 means 10 minutes, a negative time never.
	IdleTimeout time.Duration
	// MaxServers bounds the servers that run at a time, one for each workspace folder. One more stops the least recently
	// used one that is idle; when none is, the question waits, with its deadline, and after a second a busy one gets no
	// more questions until it was stopped. 0 means 8, a negative number no bound.
	MaxServers int
	// MaxMemory bounds what one server with all its processes may have resident, in bytes; what they share counts for
	// each. A server that has more is stopped when no question is under way, for which new ones wait, and at once when it
	// has half as much again; the next question starts it anew. One that has more again within a minute of that start is
	// stopped at once, and for 30 seconds questions to it are a [ServerError] that wraps a [MemoryError]. 0 means half of
	// the machine's memory, a negative number no bound. Memory is looked at every two seconds, on Linux alone.
	MaxMemory int64
	// Logger gets what was decided (a server started, retried, given up); nil discards.
	Logger *slog.Logger
}

// QueryOptions of the questions that are answered with places or symbols, such as [Client.Definition].
type QueryOptions struct {
	Limit int // most places or symbols to return; 0 means 1,000
	// Paths keeps only what lies in files that match one of these globs, and Total counts what is left. A glob is matched
	// part by part with [path.Match], "**" stands for any number of folders, and one that matches a folder takes what is
	// below it: "src/**", "src/*_test.go". One without "/" means the name of a file or folder at any depth: "*.go". Paths
	// are those of the result, so that files outside the root are matched by their absolute path. Empty: all.
	Paths []string
}

// ReferenceOptions of [Client.References].
type ReferenceOptions struct {
	Declaration bool     // the declaration counts as a reference
	Limit       int      // most locations to return; 0 means 1,000
	Paths       []string // only in files that match one of these globs, as in QueryOptions
}

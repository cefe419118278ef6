package lspclient

import (
	"errors"
	"fmt"
	"strings"

	"github.com/findspot/findspot/internal/errs"
)

var (
	// ErrNotFound: no symbol of that name, or no such file. Near names are in the message.
	ErrNotFound = errs.NotFound
	// ErrUnsupported: no registered server knows the file's language, or the server does not offer what was asked.
	ErrUnsupported = errs.Unsupported
	// ErrClosed: the client was used after Close.
	ErrClosed = errs.Closed
	// ErrTooLarge: a file is too large to be shown to a server.
	ErrTooLarge = errs.TooLarge
	// ErrStale: a server answered about a text that is not the present one.
	ErrStale = errs.Stale
	// ErrFormat: a servers file is not what [ParseServers] reads, or an answer was not what the protocol says.
	ErrFormat = errs.Format
)

// NotInstalledError says that the language has servers in the registry, and none of them is installed.
type NotInstalledError struct {
	Language string // such as "go"
	Server   string // the first choice for the language
	Install  string // the command that installs it
	Why      string // what was found instead, such as a shim whose probe failed; may be empty
}

func (e *NotInstalledError) Error() string {
	msg := fmt.Sprintf("no language server for %s: %s is not installed", e.Language, e.Server)
	if e.Why != "" {
		msg += " (" + e.Why + ")"
	}
	return msg + "; to install it: " + e.Install
}

// Candidate is one of several symbols that a name may mean.
type Candidate struct {
	Name     string   `json:"name"` // with its container, as far as the server tells
	Kind     string   `json:"kind"`
	Location Location `json:"location"` // of its name
}

// AmbiguousError says that a name means several symbols. Candidates are sorted by path, line and column. Ask again with
// a longer name, or [At] one of the places.
type AmbiguousError struct {
	Name       string
	Candidates []Candidate
}

func (e *AmbiguousError) Error() string {
	const show = 8
	var b strings.Builder
	fmt.Fprintf(&b, "%q means %d symbols:", e.Name, len(e.Candidates))
	for i, c := range e.Candidates {
		if i == show {
			fmt.Fprintf(&b, " and %d more", len(e.Candidates)-show)
			break
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, " %s at %s:%d:%d", c.Name, c.Location.Path, c.Location.Line, c.Location.Col)
	}
	return b.String() + "; give a longer name or the place"
}

// ServerError says that a server did not do its part: it did not start, died, did not answer in time, or answered with
// an error or with nonsense. Err is the cause; it wraps context.DeadlineExceeded or context.Canceled when time was the
// cause.
type ServerError struct {
	Server string // name and, when known, version
	Method string // the request that failed; may be empty
	Stderr string // the last of what the server wrote to stderr, at most 4 KiB; may be empty
	Err    error
}

func (e *ServerError) Error() string {
	msg := "language server " + e.Server
	if e.Method != "" {
		msg += ": " + e.Method
	}
	msg += ": " + e.Err.Error()
	if e.Stderr != "" {
		msg += "; its last words: " + lastLines(e.Stderr, 3)
	}
	return msg
}

func (e *ServerError) Unwrap() error { return e.Err }

// lastLines returns the last n lines that are not blank, joined with " | ".
func lastLines(s string, n int) string {
	var lines []string
	for l := range strings.SplitSeq(s, "\n") {
		if l = strings.TrimSpace(l); l != "" {
			lines = append(lines, l)
		}
	}
	return strings.Join(lines[max(0, len(lines)-n):], " | ")
}

// isDead reports whether err means that the connection to the server is gone, so that a new process may do better.
func isDead(err error) bool {
	var d *deadError
	return errors.As(err, &d)
}

// deadError says that the connection ended, and how.
type deadError struct{ cause error }

func (e *deadError) Error() string { return e.cause.Error() }
func (e *deadError) Unwrap() error { return e.cause }

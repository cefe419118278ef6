package lspclient

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/crash"
	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/registry"
)

var (
	// ErrNotFound: no symbol of that name, or no such file. Near names are in the message.
	ErrNotFound = errs.NotFound
	// ErrIncomplete: nothing of that name was found, and not everything could be looked at, so that it may exist.
	ErrIncomplete = errors.New("not found so far")
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
type NotInstalledError = registry.NotInstalledError

// Candidate is one of several symbols that a name may mean.
type Candidate struct {
	Name     string         `json:"name"` // with its container, as far as the server tells
	Kind     string         `json:"kind"`
	Location place.Location `json:"location"` // of its name
	// Write is what [Named] takes to mean this one alone: a longer name, one with the file in front, one with an index, or
	// the place.
	Write string `json:"write"`
}

// NotFoundError says that no symbol of a name was found. It wraps ErrNotFound when the search was complete, and else
// ErrIncomplete: then Why says what was not looked at, and the symbol may exist. Near lists declarations whose names come near (by
// letters or by the words they are made of), the nearest first; it may be empty. Causes are the errors of servers that
// could not be asked, such as a *NotInstalledError, and are wrapped too.
type NotFoundError struct {
	Name   string
	Near   []Candidate
	Why    string // what kept the search from being complete; may be empty
	Causes []error
}

func (e *NotFoundError) Error() string {
	msg := fmt.Sprintf("symbol %q: %v", e.Name, e.kind())
	if e.Why != "" {
		msg += " (" + e.Why + ")"
	}
	for i, c := range e.Near {
		sep := ", "
		if i == 0 {
			sep = "; near names: "
		}
		msg += fmt.Sprintf("%s%s at %s:%d", sep, c.Name, c.Location.Path, c.Location.Line)
	}
	return msg
}

func (e *NotFoundError) kind() error {
	if e.Why != "" {
		return ErrIncomplete
	}
	return ErrNotFound
}

func (e *NotFoundError) Unwrap() []error { return append([]error{e.kind()}, e.Causes...) }

// AmbiguousError says that a name means several symbols. Candidates are sorted by path, line and column. Ask again with
// what a candidate's Write says, or [At] its place.
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
		if c.Write != "" {
			fmt.Fprintf(&b, " (write %s)", c.Write)
		}
	}
	return b.String()
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
	if errors.Is(e.Err, context.DeadlineExceeded) {
		msg += "; allow more time (Options.Timeout, or the deadline of the context), or ask again: the first answer takes longest"
	}
	if e.Stderr != "" {
		msg += "; its last words: " + excerpt.LastLines(e.Stderr, 3)
	}
	return msg
}

func (e *ServerError) Unwrap() error { return e.Err }

type (
	// CrashInput is something that a server was asked or shown.
	CrashInput = crash.About
	// CrashInputError says that a server crashed twice on an input, so that it is not given it again.
	CrashInputError = crash.InputError
)

// BreakerError says that a server ended again and again without an answer, so that it is left alone until a time. The first
// question after it tries the server once more. It comes inside a *ServerError.
type BreakerError struct {
	Deaths int       // in a row, without an answer between
	Until  time.Time // when it is tried again
	Last   error     // how it ended the last time
}

func (e *BreakerError) Error() string {
	return fmt.Sprintf("ended %d times in a row; it is tried again in %v: %v", e.Deaths,
		max(time.Until(e.Until), 0).Round(time.Second), e.Last)
}

func (e *BreakerError) Unwrap() error { return e.Last }

// MemoryError says that a server took more memory than [Options.MaxMemory] allows, was stopped for it, and did so again
// at once after its next start. It is left alone for 30 seconds. It is the cause of a [ServerError].
type MemoryError struct {
	Server string
	Folder string // the workspace folder, absolute
	Bytes  int64  // resident, of the server with all its processes
	Limit  int64
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("%s took %d MiB in %s, the limit is %d MiB (Options.MaxMemory)", e.Server, e.Bytes>>20, e.Folder, e.Limit>>20)
}

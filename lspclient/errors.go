package lspclient

import (
	"time"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/crash"
	"github.com/findspot/findspot/lspclient/internal/registry"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/symbols"
)

var (
	// ErrNotFound: no symbol of that name, or no such file. Near names are in the message.
	ErrNotFound = errs.NotFound
	// ErrIncomplete: nothing of that name was found, and not everything could be looked at, so that it may exist.
	ErrIncomplete = symbols.ErrIncomplete
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

func (e *NotInstalledError) Error() string { return (*registry.NotInstalledError)(e).Error() }

// Candidate is one of several symbols that a name may mean.
type Candidate struct {
	Name     string   `json:"name"` // with its container, as far as the server tells
	Kind     string   `json:"kind"`
	Location Location `json:"location"` // of its name
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

func (e *NotFoundError) Error() string { return e.inner().Error() }

func (e *NotFoundError) inner() *symbols.NotFoundError {
	return &symbols.NotFoundError{Name: e.Name, Near: convert(e.Near, innerCandidate), Why: e.Why, Causes: e.Causes}
}

func (e *NotFoundError) Unwrap() []error { return e.inner().Unwrap() }

// AmbiguousError says that a name means several symbols. Candidates are sorted by path, line and column. Ask again with
// what a candidate's Write says, or [At] its place.
type AmbiguousError struct {
	Name       string
	Candidates []Candidate
}

func (e *AmbiguousError) Error() string {
	return (&symbols.AmbiguousError{Name: e.Name, Candidates: convert(e.Candidates, innerCandidate)}).Error()
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

func (e *ServerError) Error() string { return (*session.ServerError)(e).Error() }

func (e *ServerError) Unwrap() error { return e.Err }

// CrashInput is something that a server was asked or shown.
type CrashInput struct {
	Method string // such as "textDocument/references"; "textDocument/didOpen" when the text of the file alone is too much
	Path   string // of the file, relative to the root; empty when it is about no file
	Line   int    // from 1; 0 when it is about no place
	Col    int    // in bytes, from 1
	Query  string // the name that was searched for, if any
}

func (in CrashInput) String() string { return crash.About(in).String() }

// CrashInputError says that a server crashed twice on this input, so that it is not given it again: not before the text of
// the file changes, the server is another version, or ten minutes have passed. It comes inside a *ServerError. Other
// questions are answered as before.
type CrashInputError struct {
	Input   CrashInput
	Crashes int   // how often it was there when the server crashed
	Last    error // how the server ended the last time
}

func (e *CrashInputError) Error() string {
	return (&crash.InputError{Input: crash.About(e.Input), Crashes: e.Crashes, Last: e.Last}).Error()
}

// BreakerError says that a server ended again and again without an answer, so that it is left alone until a time. The first
// question after it tries the server once more. It comes inside a *ServerError.
type BreakerError struct {
	Deaths int       // in a row, without an answer between
	Until  time.Time // when it is tried again
	Last   error     // how it ended the last time
}

func (e *BreakerError) Error() string { return (*session.BreakerError)(e).Error() }

func (e *BreakerError) Unwrap() error { return e.Last }

// MemoryError says that a server took more memory than [Options.MaxMemory] allows, was stopped for it, and did so again
// at once after its next start. It is left alone for 30 seconds. It is the cause of a [ServerError].
type MemoryError struct {
	Server string
	Folder string // the workspace folder, absolute
	Bytes  int64  // resident, of the server with all its processes
	Limit  int64
}

func (e *MemoryError) Error() string { return (*session.MemoryError)(e).Error() }

package lspclient

import (
	"errors"
	"fmt"
	"strings"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/crash"
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

type (
	// CrashInput is something that a server was asked or shown.
	CrashInput = crash.About
	// CrashInputError says that a server crashed twice on an input, so that it is not given it again.
	CrashInputError = crash.InputError
)

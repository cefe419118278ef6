package symbols

import (
	"errors"
	"fmt"
	"strings"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/place"
)

// ErrIncomplete: nothing was found, and not everything could be looked at.
var ErrIncomplete = errors.New("not found so far")

// Candidate is one of several symbols that a name may mean.
type Candidate struct {
	Name     string         `json:"name"` // with its container, as far as the server tells
	Kind     string         `json:"kind"`
	Location place.Location `json:"location"` // of its name
	// Write is what [Named] takes to mean this one alone: a longer name, one with the file in front, one with an index, or
	// the place.
	Write string `json:"write"`
}

// NotFoundError says that no symbol of a name was found. It wraps errs.NotFound when the search was complete, and else
// errIncomplete: then Why says what was not looked at, and the symbol may exist. Near lists declarations whose names come near (by
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
	return errs.NotFound
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

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

// Candidate is lspclient.Candidate, documented there.
type Candidate struct {
	Name     string
	Kind     string
	Location place.Location
	Write    string
}

// NotFoundError is lspclient.NotFoundError, documented there.
type NotFoundError struct {
	Name   string
	Near   []Candidate
	Why    string
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

// AmbiguousError is lspclient.AmbiguousError, documented there.
type AmbiguousError struct {
	Name       string
	Candidates []Candidate
}

func (e *AmbiguousError) Error() string {
	const show = 8
	var b strings.Builder
	fmt.Fprintf(&b, "%q is ambiguous, it means %d symbols:", e.Name, len(e.Candidates))
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

package catalog

import (
	"errors"
	"fmt"
	"strings"

	"github.com/findspot/findspot/internal/errs"
)

// An IngestError says why one document could not be taken in; users get it as docsearch.IngestError.
type IngestError struct {
	Name string
	Page int
	Line int
	Err  error
}

func (e *IngestError) Error() string {
	if e.Page > 0 {
		// Extractors name the page too.
		return fmt.Sprintf("ingest %q page %d: %s", e.Name, e.Page, strings.TrimPrefix(e.Err.Error(), fmt.Sprintf("page %d: ", e.Page)))
	}
	if e.Line > 0 {
		return fmt.Sprintf("ingest %q line %d: %v", e.Name, e.Line, e.Err)
	}
	return fmt.Sprintf("ingest %q: %v", e.Name, e.Err)
}

func (e *IngestError) Unwrap() error { return e.Err }

// A ConflictError says that a document of this id is already there from another origin; users get it as docsearch.ConflictError.
type ConflictError struct {
	ID   string
	Name string
	Have string
	Got  string
}

func (e *ConflictError) Error() string {
	if e.Have == "" {
		return fmt.Sprintf("document %q (id %s) is already in the library, among the documents that are left out here, and was not replaced by %s: give it another name or id, or open the library without the limit", e.Name, e.ID, e.Got)
	}
	return fmt.Sprintf("document %q (id %s) is already in the library from %s and was not replaced by %s: remove it first, or add the folder above both", e.Name, e.ID, e.Have, e.Got)
}

// An AmbiguousError says that a reference names several documents; users get it as docsearch.AmbiguousError.
type AmbiguousError struct {
	Ref        string
	Candidates []*Entry // at most 100, by name
	Total      int
}

func (e *AmbiguousError) Error() string { return fmt.Sprintf("%q names %d documents", e.Ref, e.Total) }

// causes are the sentinels a failure keeps across a restart.
var causes = []struct {
	name string
	err  error
}{
	{"encrypted", errs.Encrypted}, {"no text", errs.NoText}, {"too large", errs.TooLarge},
	{"unsupported", errs.Unsupported}, {"format", errs.Format},
}

func (e *Stored) SetFailure(err error) {
	e.Reason = err.Error()
	if ie, ok := errors.AsType[*IngestError](err); ok {
		e.Reason, e.BadPage = ie.Err.Error(), ie.Page
	}
	for _, c := range causes {
		if errors.Is(err, c.err) {
			e.Cause = c.name
			break
		}
	}
}

type remembered struct {
	reason string
	cause  error
}

func (e *remembered) Error() string { return e.reason }
func (e *remembered) Unwrap() error { return e.cause }

// Failure returns the error that the document failed with when it was read.
func (e *Entry) Failure() error {
	r := e.more
	if r == nil {
		r = &rest{}
	}
	err := &remembered{reason: r.reason}
	for _, c := range causes {
		if c.name == r.cause {
			err.cause = c.err
		}
	}
	return &IngestError{Name: e.Name, Page: r.badPage, Err: err}
}

// Pending returns [Document.Pending].
func (e *Entry) Pending() string {
	if e.more == nil {
		return ""
	}
	return e.more.pending
}

func (e *Entry) Cause() string {
	if e.more == nil {
		return ""
	}
	return e.more.cause
}

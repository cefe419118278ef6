package docsearch

import (
	"errors"
	"fmt"
	"strings"

	"github.com/findspot/findspot/internal/errs"
)

// An ingestError says why one document could not be taken in; users get it as docsearch.IngestError.
type ingestError struct {
	Name string
	Page int
	Line int
	Err  error
}

func (e *ingestError) Error() string {
	if e.Page > 0 {
		// Extractors name the page too.
		return fmt.Sprintf("ingest %q page %d: %s", e.Name, e.Page, strings.TrimPrefix(e.Err.Error(), fmt.Sprintf("page %d: ", e.Page)))
	}
	if e.Line > 0 {
		return fmt.Sprintf("ingest %q line %d: %v", e.Name, e.Line, e.Err)
	}
	return fmt.Sprintf("ingest %q: %v", e.Name, e.Err)
}

func (e *ingestError) Unwrap() error { return e.Err }

// A conflictError says that a document of this id is already there from another origin; users get it as docsearch.ConflictError.
type conflictError struct {
	ID   string
	Name string
	Have string
	Got  string
}

func (e *conflictError) Error() string {
	if e.Have == "" {
		return fmt.Sprintf("document %q (id %s) is already in the library, among the documents that are left out here, and was not replaced by %s: give it another name or id, or open the library without the limit", e.Name, e.ID, e.Got)
	}
	return fmt.Sprintf("document %q (id %s) is already in the library from %s and was not replaced by %s: remove it first, or add the folder above both", e.Name, e.ID, e.Have, e.Got)
}

// An ambiguousError says that a reference names several documents; users get it as docsearch.AmbiguousError.
type ambiguousError struct {
	Ref        string
	Candidates []*entry // at most 100, by name
	Total      int
}

func (e *ambiguousError) Error() string { return fmt.Sprintf("%q names %d documents", e.Ref, e.Total) }

// causes are the sentinels a failure keeps across a restart.
var causes = []struct {
	name string
	err  error
}{
	{"encrypted", errs.Encrypted}, {"no text", errs.NoText}, {"too large", errs.TooLarge},
	{"unsupported", errs.Unsupported}, {"format", errs.Format},
}

func (e *stored) setFailure(err error) {
	e.Reason = err.Error()
	if ie, ok := errors.AsType[*ingestError](err); ok {
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

// failure returns the error that the document failed with when it was read.
func (e *entry) failure() error {
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
	return &ingestError{Name: e.Name, Page: r.badPage, Err: err}
}

// pending returns [Document.Pending].
func (e *entry) pending() string {
	if e.more == nil {
		return ""
	}
	return e.more.pending
}

func (e *entry) cause() string {
	if e.more == nil {
		return ""
	}
	return e.more.cause
}

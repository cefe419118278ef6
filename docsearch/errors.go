package docsearch

import (
	"fmt"
	"strings"

	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/internal/errs"
)

// The conditions a caller branches on. They are the values that all rooms of this module share.
var (
	ErrNotFound    = errs.NotFound    // no such document, page or line
	ErrClosed      = errs.Closed      // the library was closed
	ErrFormat      = errs.Format      // a file or an index is not what its format says, or is newer than this program
	ErrEncrypted   = errs.Encrypted   // the document needs a password
	ErrNoText      = errs.NoText      // the document was read and holds no text
	ErrTooLarge    = errs.TooLarge    // the file is over [Options.MaxFile], or a query over its limit
	ErrRefused     = errs.Refused     // the file lies outside of its folder, or is no regular file
	ErrUnsupported = errs.Unsupported // no extractor for this kind of file, or options that cannot be used
	ErrStale       = errs.Stale       // the document was replaced while it was read
)

// An IngestError says why one document could not be taken in. The documents after it are not affected.
type IngestError struct {
	Name string // the document, or the path of a folder that could not be read
	Page int    // from 1; 0 when the error is not about one page
	Line int    // of a file of JSON Lines, from 1; 0 when the error is not about one line
	Err  error
}

func (e *IngestError) Error() string { return (*catalog.IngestError)(e).Error() }
func (e *IngestError) Unwrap() error { return e.Err }

// A ConflictError says that a document of this id is already there from another origin: an id that the caller chose, or one by the name of a document from memory.
// Files of one name get names of their own instead. Nothing was changed.
type ConflictError struct {
	ID   string // the id both would have
	Name string // the name both have
	Have string // origin of the document in the library; "": the library leaves it out, see [Library.Within]
	Got  string // origin of the document refused
}

func (e *ConflictError) Error() string { return (*catalog.ConflictError)(e).Error() }

// An AmbiguousError says that a reference names several documents.
type AmbiguousError struct {
	Ref        string
	Candidates []*Document // by name, at least two and at most 100
	Total      int         // documents that the reference names
}

func (e *AmbiguousError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q names %d documents:", e.Ref, max(e.Total, len(e.Candidates)))
	for i, d := range e.Candidates {
		if i == 5 {
			fmt.Fprintf(&b, " and %d more", max(e.Total, len(e.Candidates))-i)
			break
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, " %s (%s)", d.Name, d.ID)
	}
	return b.String()
}

// public turns the errors of inner packages into those that users know.
func public(err error) error {
	switch e := err.(type) {
	case *catalog.IngestError:
		return &IngestError{e.Name, e.Page, e.Line, public(e.Err)} // which may be a conflict
	case *catalog.ConflictError:
		return (*ConflictError)(e)
	case *catalog.AmbiguousError:
		out := &AmbiguousError{Ref: e.Ref, Total: e.Total}
		for _, c := range e.Candidates {
			out.Candidates = append(out.Candidates, documentOf(c))
		}
		return out
	}
	return err
}

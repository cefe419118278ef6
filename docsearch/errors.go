package docsearch

import (
	"fmt"
	"strings"

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

// A ConflictError says that a document of this id is already there from another origin. Nothing was changed.
type ConflictError struct {
	ID   string // the id both would have
	Name string // the name both have
	Have string // origin of the document in the library; "": the library leaves it out, see [Library.Within]
	Got  string // origin of the document refused
}

func (e *ConflictError) Error() string {
	if e.Have == "" {
		return fmt.Sprintf("document %q (id %s) is already in the library, among the documents that are left out here, and was not replaced by %s: give it another name or id, or open the library without the limit", e.Name, e.ID, e.Got)
	}
	return fmt.Sprintf("document %q (id %s) is already in the library from %s and was not replaced by %s: remove it first, or add the folder above both", e.Name, e.ID, e.Have, e.Got)
}

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

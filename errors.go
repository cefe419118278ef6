package findspot

import (
	"github.com/findspot/findspot/internal/errs"
)

// The conditions a caller branches on: the values that all rooms share. docsearch has more of them, for documents.
var (
	ErrNotFound    = errs.NotFound    // no such document, entity, symbol or place; near names are in the message
	ErrStale       = errs.Stale       // the source changed since it was indexed
	ErrClosed      = errs.Closed      // the workspace was closed
	ErrFormat      = errs.Format      // a file is not what its format says, or an index is newer than this program
	ErrTooLarge    = errs.TooLarge    // over a size limit
	ErrRefused     = errs.Refused     // it is there and may not be given out; the message says why, and how a host allows it
	ErrUnsupported = errs.Unsupported // this kind of input or request is not handled
)

// A LockedError says that another process writes to the same folder.
type LockedError = errs.LockedError

// An UntrustedError says why a folder is not taken for an index of this user, and the way out.
type UntrustedError = errs.UntrustedError

package errs

import (
	"errors"
	"fmt"
)

var (
	// NotFound: the named thing does not exist here. Near names, where known, are in the message.
	NotFound = errors.New("not found")
	// Stale: the source changed on disk since it was indexed. Update the index and ask again.
	Stale = errors.New("source changed since it was indexed")
	// Closed: the value was used after Close.
	Closed = errors.New("closed")
	// Format: bytes on disk are not what the format says, or come from a newer version.
	Format = errors.New("bad format")
	// Encrypted: the document needs a password.
	Encrypted = errors.New("encrypted")
	// NoText: the document was read and holds no text.
	NoText = errors.New("no text")
	// TooLarge: the input is over its size limit.
	TooLarge = errors.New("too large")
	// Refused: it is there, and may not be given out: it lies outside of its folder, is no regular file, or holds secrets.
	Refused = errors.New("refused")
	// Unsupported: this kind of input or request is not handled.
	Unsupported = errors.New("unsupported")
)

// LockedError says that another process holds a folder's write lock.
type LockedError struct {
	Path string // the folder
	PID  int    // the holder; 0 when it could not be read
}

func (e *LockedError) Error() string {
	return fmt.Sprintf("%s is in use by process %d: wait for it, stop it, or use another folder", e.Path, e.PID)
}

// UntrustedError says that an index is not opened, or not written to, because of what lies in its folder or who made it.
type UntrustedError struct {
	Path   string // the folder or file
	Reason string // why, such as "it is a symbolic link"
	Way    string // what to do about it
}

func (e *UntrustedError) Error() string { return "index " + e.Path + ": " + e.Reason + ": " + e.Way }

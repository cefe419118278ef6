package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/findspot/findspot/lspclient/internal/excerpt"
)

// ServerError says that a server did not do its part: it did not start, died, did not answer in time, or answered with
// an error or with nonsense. Err is the cause; it wraps context.DeadlineExceeded or context.Canceled when time was the
// cause.
type ServerError struct {
	Server string // name and, when known, version
	Method string // the request that failed; may be empty
	Stderr string // the last of what the server wrote to stderr, at most 4 KiB; may be empty
	Err    error
}

func (e *ServerError) Error() string {
	msg := "language server " + e.Server
	if e.Method != "" {
		msg += ": " + e.Method
	}
	msg += ": " + e.Err.Error()
	if errors.Is(e.Err, context.DeadlineExceeded) {
		msg += "; allow more time (Options.Timeout, or the deadline of the context), or ask again: the first answer takes longest"
	}
	if e.Stderr != "" {
		msg += "; its last words: " + excerpt.LastLines(e.Stderr, 3)
	}
	return msg
}

func (e *ServerError) Unwrap() error { return e.Err }

// BreakerError says that a server ended again and again without an answer, so that it is left alone until a time. The first
// question after it tries the server once more. It comes inside a *ServerError.
type BreakerError struct {
	Deaths int       // in a row, without an answer between
	Until  time.Time // when it is tried again
	Last   error     // how it ended the last time
}

func (e *BreakerError) Error() string {
	return fmt.Sprintf("ended %d times in a row; it is tried again in %v: %v", e.Deaths,
		max(time.Until(e.Until), 0).Round(time.Second), e.Last)
}

func (e *BreakerError) Unwrap() error { return e.Last }

// MemoryError says that a server took more memory than [Options.MaxMemory] allows, was stopped for it, and did so again
// at once after its next start. It is left alone for 30 seconds. It is the cause of a [ServerError].
type MemoryError struct {
	Server string
	Folder string // the workspace folder, absolute
	Bytes  int64  // resident, of the server with all its processes
	Limit  int64
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("%s took %d MiB in %s, the limit is %d MiB (Options.MaxMemory)", e.Server, e.Bytes>>20, e.Folder, e.Limit>>20)
}

package session

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/findspot/findspot/lspclient/internal/excerpt"
)

// ServerError is lspclient.ServerError, documented there.
type ServerError struct {
	Server string
	Method string
	Stderr string
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

// BreakerError is lspclient.BreakerError, documented there.
type BreakerError struct {
	Deaths int
	Until  time.Time
	Last   error
}

func (e *BreakerError) Error() string {
	return fmt.Sprintf("ended %d times in a row; it is tried again in %v: %v", e.Deaths,
		max(time.Until(e.Until), 0).Round(time.Second), e.Last)
}

func (e *BreakerError) Unwrap() error { return e.Last }

// MemoryError is lspclient.MemoryError, documented there.
type MemoryError struct {
	Server string
	Folder string
	Bytes  int64
	Limit  int64
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("%s took %d MiB in %s, the limit is %d MiB (Options.MaxMemory)", e.Server, e.Bytes>>20, e.Folder, e.Limit>>20)
}

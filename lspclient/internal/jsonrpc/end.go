package jsonrpc

import "errors"

// IsEnded reports whether err means that the connection to the server is gone, so that a new process may do better.
func IsEnded(err error) bool {
	var d *EndedError
	return errors.As(err, &d)
}

// IsAnswer reports whether err is the server's own answer to a request.
func IsAnswer(err error) bool {
	var e *ResponseError
	return errors.As(err, &e)
}

// EndedError says that the connection ended, and how.
type EndedError struct {
	Cause  error
	Shared bool // another request may be to blame for it
}

func (e *EndedError) Error() string { return e.Cause.Error() }

func (e *EndedError) Unwrap() error { return e.Cause }

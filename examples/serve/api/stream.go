package api

import (
	"context"

	"github.com/findspot/findspot"
)

// A sender is the server's end of a stream.
type sender[T any] interface{ Send(*T) error }

// stream runs work and sends what it emits, with the progress meanwhile. It returns when work has ended, which it does early when the client is gone: emit
// then returns the reason, and ctx ends.
func stream[T any](ctx context.Context, to sender[T], progress <-chan findspot.Progress, show func(findspot.Progress) *T, work func(ctx context.Context, emit func(*T) error) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	events, done := make(chan *T), make(chan error, 1)
	emit := func(e *T) error {
		select {
		case events <- e:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	go func() {
		// A panic here would end the process; as an error it ends the call.
		var err error
		defer func() { done <- err }()
		defer caught(&err)
		err = work(ctx, emit)
	}()
	for {
		var e *T
		select {
		case e = <-events:
		case p := <-progress:
			e = show(p)
		case err := <-done:
			return err
		}
		if err := to.Send(e); err != nil {
			cancel(err)
		}
	}
}

package ctxlock

import "context"

// Mutex is a lock that is waited for no longer than a context allows. Whoever may be held up by a server while he holds a
// lock holds one of these, so that nobody else waits beyond his own deadline.
type Mutex chan struct{}

func New() Mutex { return make(Mutex, 1) }

// Lock takes the lock; the error is that of the context.
func (t Mutex) Lock(ctx context.Context) error {
	select {
	case t <- struct{}{}:
		return nil
	default:
	}
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t Mutex) Unlock() { <-t }

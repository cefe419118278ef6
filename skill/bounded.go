package skill

import (
	"context"
	"fmt"
	"time"
)

// defaultGrace is how long a tool or a model may go on after its time is over.
const defaultGrace = 2 * time.Second

// A HangError says that a tool or a model did not return when it was told to. The run goes on without it; what it still
// does in the background nobody waits for.
type HangError struct {
	What  string        // such as "tool references"
	After time.Duration // for how long it was waited after its context had ended
}

func (e *HangError) Error() string {
	return fmt.Sprintf("%s did not return within %s after it was told to", e.What, e.After)
}

// bounded calls fn, which may ignore its context, and returns at the latest grace after ctx has ended. fn alone touches
// what it returns. A panic in fn is an error.
func bounded[T any](ctx context.Context, what string, grace time.Duration, fn func() (T, error)) (T, error) {
	type answer struct {
		v   T
		err error
	}
	done := make(chan answer, 1) // buffered: nobody may be there any more to take it
	go func() {
		var a answer
		defer func() {
			if p := recover(); p != nil {
				a.err = fmt.Errorf("%s: panic: %v", what, p)
			}
			done <- a
		}()
		a.v, a.err = fn()
	}()
	select {
	case a := <-done:
		return a.v, a.err
	case <-ctx.Done():
	}
	late := time.NewTimer(grace)
	defer late.Stop()
	select {
	case a := <-done:
		return a.v, a.err
	case <-late.C:
		var zero T
		return zero, &HangError{What: what, After: grace}
	}
}

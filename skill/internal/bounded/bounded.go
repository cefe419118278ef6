package bounded

import (
	"context"
	"fmt"
	"iter"
	"time"
)

// Grace is how long a call may go on after its context has ended, where the host does not say.
const Grace = 2 * time.Second

// A HangError says that a call did not return when it was told to.
type HangError struct {
	What  string        // such as "tool references"
	After time.Duration // for how long it was waited after its context had ended
}

func (e *HangError) Error() string {
	return fmt.Sprintf("%s did not return within %s after it was told to", e.What, e.After)
}

// Call calls fn, which may ignore its context, and returns at the latest grace after ctx has ended. fn alone touches
// what it returns. A panic in fn is an error.
func Call[T any](ctx context.Context, what string, grace time.Duration, fn func() (T, error)) (T, error) {
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

// While ends a stream with ctx's error when ctx has ended, for one that does not look at it.
func While[T any](ctx context.Context, stream iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for v, err := range stream {
			if over := ctx.Err(); err == nil && over != nil {
				var zero T
				v, err = zero, over
			}
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}

// Stream hands on a stream as it comes. When ctx has ended, what does not come within the grace is not waited for; nor
// is, when the caller breaks off, a stream that goes on. start gets a context that ends with the loop.
func Stream[T any](ctx context.Context, what string, grace time.Duration, start func(context.Context) iter.Seq2[T, error]) iter.Seq2[T, error] {
	type part struct {
		v   T
		err error
	}
	return func(yield func(T, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		parts, taken, gone := make(chan part), make(chan struct{}), make(chan struct{})
		var zero T
		go func() {
			defer close(parts)
			send := func(p part) bool {
				select {
				case parts <- p:
				case <-gone:
					return false
				}
				select { // the stream does not run ahead of the caller
				case <-taken:
					return true
				case <-gone:
					return false
				}
			}
			defer func() {
				if p := recover(); p != nil {
					send(part{zero, fmt.Errorf("%s: panic: %v", what, p)})
				}
			}()
			for v, err := range start(ctx) {
				if !send(part{v, err}) {
					return
				}
			}
		}()
		// next waits for what comes; late: not for longer than the grace.
		next := func() (p part, more, late bool) {
			select {
			case p, more = <-parts:
				return p, more, false
			case <-ctx.Done():
			}
			end := time.NewTimer(grace)
			defer end.Stop()
			select {
			case p, more = <-parts:
				return p, more, false
			case <-end.C:
				return part{}, false, true
			}
		}
		hangs := false
		defer func() {
			cancel()
			close(gone)
			for more := !hangs; more; {
				_, more, _ = next()
			}
		}()
		for {
			p, more, late := next()
			switch {
			case late:
				hangs = true
				yield(zero, &HangError{What: what, After: grace})
				return
			case !more || !yield(p.v, p.err):
				return
			}
			taken <- struct{}{}
		}
	}
}

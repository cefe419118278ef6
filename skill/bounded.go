package skill

import (
	"context"
	"fmt"
	"iter"
	"time"
)

// defaultGrace is how long a tool, a model or a hook may go on after its time is over.
const defaultGrace = 2 * time.Second

// A HangError says that a tool, a model, an approval or a hook did not return when it was told to. The run goes on without it; what it still
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

// askModel asks a model for a whole reply. Neither one that never returns nor one whose stream never ends outlasts ctx by
// more than the grace.
func askModel(ctx context.Context, m Model, req *Request, grace time.Duration) (*Reply, error) {
	return bounded(ctx, "the model", grace, func() (*Reply, error) {
		return Collect(func(yield func(*Delta, error) bool) {
			for d, err := range m.Generate(ctx, req) {
				if over := ctx.Err(); err == nil && over != nil { // a model that does not look at it
					d, err = nil, over
				}
				if !yield(d, err) || err != nil {
					return
				}
			}
		})
	})
}

// streamModel asks a model and hands on what it says as it comes. When ctx has ended, what does not come within the grace
// is not waited for; nor is, when the caller breaks off, a model that goes on.
func streamModel(ctx context.Context, m Model, req *Request, grace time.Duration) iter.Seq2[*Delta, error] {
	type part struct {
		d   *Delta
		err error
	}
	return func(yield func(*Delta, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		parts, taken, gone := make(chan part), make(chan struct{}), make(chan struct{})
		go func() {
			defer close(parts)
			send := func(p part) bool {
				select {
				case parts <- p:
				case <-gone:
					return false
				}
				select { // the model does not run ahead of the caller
				case <-taken:
					return true
				case <-gone:
					return false
				}
			}
			defer func() {
				if p := recover(); p != nil {
					send(part{nil, fmt.Errorf("the model: panic: %v", p)})
				}
			}()
			for d, err := range m.Generate(ctx, req) {
				if !send(part{d, err}) {
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
				yield(nil, &HangError{What: "the model", After: grace})
				return
			case !more || !yield(p.d, p.err):
				return
			}
			taken <- struct{}{}
		}
	}
}

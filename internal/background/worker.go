package background

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// Work that fails is tried again after retryFirst, then after twice as long each time, up to retryMost.
const (
	retryFirst = 10 * time.Second
	retryMost  = 5 * time.Minute
)

// A Worker does one kind of work in a goroutine that runs while there is something to do. It is safe for concurrent use.
type Worker struct {
	Work   func(context.Context) error // does all there is
	Name   string                      // of the work, for the log
	Logger *slog.Logger

	mu     sync.Mutex // guards what follows
	again  bool       // work came since it last began
	cancel context.CancelFunc
	done   chan struct{} // closed when the goroutine has ended; nil: there is none
	err    error         // why it waits
	over   bool
}

// Wake says that there is something to do.
func (w *Worker) Wake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.again = true
	if w.done != nil || w.over {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	w.cancel, w.done = cancel, done
	go func() {
		defer close(done)
		defer cancel()
		wait := retryFirst
		for w.next(ctx) {
			err := w.Work(ctx)
			if ctx.Err() != nil {
				continue
			}
			if w.failed(err); err == nil {
				wait = retryFirst
				continue
			}
			w.Logger.Info(w.Name+" waits", "reason", err.Error(), "again", wait)
			select {
			case <-time.After(wait):
			case <-ctx.Done():
			}
			wait = min(2*wait, retryMost)
		}
	}()
}

// next reports whether there is something to do; otherwise the goroutine ends.
func (w *Worker) next(ctx context.Context) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if ctx.Err() != nil {
		w.err = nil
	}
	if !w.again && w.err == nil || ctx.Err() != nil {
		w.done, w.cancel = nil, nil
		return false
	}
	w.again = false
	return true
}

func (w *Worker) failed(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err = err
}

// Stop ends the work and waits for it. What is left waits for the next Wake.
func (w *Worker) Stop() {
	w.mu.Lock()
	done := w.done
	if done != nil {
		w.cancel()
	}
	w.mu.Unlock()
	if done != nil {
		<-done
	}
}

// Close stops the work for good.
func (w *Worker) Close() {
	w.mu.Lock()
	w.over = true
	w.mu.Unlock()
	w.Stop()
}

// State reports whether work is under way or waits to be tried again, and why it waits.
func (w *Worker) State() (running bool, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.done != nil, w.err
}

package ingest

import (
	"context"
	"sync"
	"time"
)

// fillRecords is how many records get their vectors before they are written. Texts are embedded some dozens a second, so that this is some seconds of work.
const fillRecords = 512

// An embedder that does not work is tried again after retryFirst, then after twice as long each time, up to retryMost.
const (
	retryFirst = 10 * time.Second
	retryMost  = 5 * time.Minute
)

// A filler makes vectors in the background, so that adding does not wait for them. It runs while there is something to do.
type filler struct {
	mu     sync.Mutex // guards what follows
	again  bool       // documents came since it last looked
	cancel context.CancelFunc
	done   chan struct{} // closed when it has ended; nil: it does not run
	err    error         // why it waits
	over   bool          // the library is closed
}

// fill makes missing vectors in the background.
func (in *Ingester) fill() {
	f := &in.filler
	f.mu.Lock()
	defer f.mu.Unlock()
	f.again = true
	if f.done != nil || f.over {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	f.cancel, f.done = cancel, done
	go func() {
		defer close(done)
		defer cancel()
		wait := retryFirst
		for f.next(ctx) {
			_, err := in.embedMissing(ctx, false, func(Progress) {})
			if f.failed(err); err == nil {
				wait = retryFirst
				continue
			}
			if ctx.Err() != nil {
				continue
			}
			in.opt.Logger.Info("docsearch: vectors are left for later", "reason", err.Error(), "again", wait)
			select {
			case <-time.After(wait):
			case <-ctx.Done():
			}
			wait = min(2*wait, retryMost)
		}
	}()
}

// next reports whether there is something to do; otherwise the filler has ended.
func (f *filler) next(ctx context.Context) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.again && f.err == nil || ctx.Err() != nil {
		f.done, f.cancel = nil, nil
		return false
	}
	f.again = false
	return true
}

func (f *filler) failed(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.err = err
}

// stop ends the filler and waits for it. What it would have done is left.
func (f *filler) stop() {
	f.mu.Lock()
	done := f.done
	if done != nil {
		f.cancel()
	}
	f.mu.Unlock()
	if done != nil {
		<-done
	}
}

// close stops the filler for good.
func (f *filler) close() {
	f.mu.Lock()
	f.over = true
	f.mu.Unlock()
	f.stop()
}

// state reports whether vectors are being made, and why they cannot be at the moment.
func (f *filler) state() (running bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.done != nil, f.err
}

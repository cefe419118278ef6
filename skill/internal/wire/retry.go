package wire

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/findspot/findspot/skill"
)

// maxWait is the longest wait between two tries. A server that asks for more gets no other try: the error says how long.
const maxWait = time.Minute

// Retry says how requests are tried again.
type Retry struct {
	Tries  int                                        // at most, the first one counted
	Wait   func(context.Context, time.Duration) error // nil: sleeps
	Logger *slog.Logger                               // never nil
}

// ErrStopped says that whoever reads the answer wants no more of it.
var ErrStopped = errors.New("stopped by the reader")

// Do calls try until it has an answer. After an error that may pass, and as long as nothing of an answer was handed out
// (begun), it waits as long as the server asks for, or for half a second that doubles, and tries again.
func (r *Retry) Do(ctx context.Context, try func() (begun bool, err error)) error {
	for n := 1; ; n++ {
		begun, err := try()
		if err == nil || errors.Is(err, ErrStopped) {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var e *skill.ModelError
		if !errors.As(err, &e) {
			return err
		}
		e.Tries = n
		if begun || n >= r.Tries || !e.Temporary() || e.After > maxWait {
			return e
		}
		wait := e.After
		if wait == 0 {
			wait = min(time.Second/2<<min(n-1, 6), maxWait)
			wait += time.Duration(rand.Int64N(int64(wait / 4))) // many clients do not come back at once
		}
		r.Logger.Info("model: asked again", "fault", e.Fault, "status", e.Status, "try", n+1, "wait", wait)
		sleep := r.Wait
		if sleep == nil {
			sleep = Sleep
		}
		if err := sleep(ctx, wait); err != nil {
			return err
		}
	}
}

// Sleep waits, or returns the error of ctx.
func Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

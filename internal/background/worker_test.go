package background

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"
)

func TestWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var fail error
		calls, hold := 0, make(chan struct{})
		w := &Worker{Name: "work", Logger: slog.New(slog.DiscardHandler), Work: func(ctx context.Context) error {
			calls++
			select {
			case <-hold:
			case <-ctx.Done():
				return ctx.Err()
			}
			return fail
		}}
		state := func(wantCalls int, wantRunning bool, wantErr error) {
			t.Helper()
			synctest.Wait()
			if running, err := w.State(); calls != wantCalls || running != wantRunning || err != wantErr {
				t.Errorf("%d calls, running %v, %v; want %d, %v, %v", calls, running, err, wantCalls, wantRunning, wantErr)
			}
		}
		state(0, false, nil)
		w.Wake()
		state(1, true, nil)
		w.Wake() // while it works: once more
		w.Wake()
		close(hold)
		state(2, false, nil)

		// A failure is tried again, after longer and longer times.
		fail = errors.New("out of order")
		w.Wake()
		state(3, true, fail)
		time.Sleep(retryFirst - 1)
		state(3, true, fail)
		time.Sleep(time.Nanosecond)
		state(4, true, fail)
		time.Sleep(2 * retryFirst)
		state(5, true, fail)
		was := fail
		fail = nil
		time.Sleep(4*retryFirst - 1)
		state(5, true, was)
		time.Sleep(time.Nanosecond)
		state(6, false, nil)

		// Stop ends what runs; the next Wake goes on. Close is for good.
		hold = make(chan struct{})
		w.Wake()
		state(7, true, nil)
		w.Stop()
		state(7, false, nil)
		w.Wake()
		state(8, true, nil)
		w.Close()
		w.Wake()
		state(8, false, nil)
	})
}

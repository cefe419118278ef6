package background

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex // guards what follows
		var fail error
		calls, hold := 0, make(chan struct{})
		set := func(err error, to chan struct{}) {
			mu.Lock()
			defer mu.Unlock()
			fail, hold = err, to
		}
		w := &Worker{Name: "work", Logger: slog.New(slog.DiscardHandler), Work: func(ctx context.Context) error {
			mu.Lock()
			calls++
			until := hold
			mu.Unlock()
			select {
			case <-until:
			case <-ctx.Done():
				return ctx.Err()
			}
			mu.Lock()
			defer mu.Unlock()
			return fail
		}}
		state := func(wantCalls int, wantRunning bool, wantErr error) {
			t.Helper()
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
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
		broken, open := errors.New("out of order"), hold
		set(broken, open)
		w.Wake()
		state(3, true, broken)
		time.Sleep(retryFirst - 1)
		state(3, true, broken)
		time.Sleep(time.Nanosecond)
		state(4, true, broken)
		time.Sleep(2 * retryFirst)
		state(5, true, broken)
		set(nil, open)
		time.Sleep(4*retryFirst - 1)
		state(5, true, broken)
		time.Sleep(time.Nanosecond)
		state(6, false, nil)

		// Stop ends what runs; the next Wake goes on. Close is for good.
		set(broken, open)
		w.Wake()
		state(7, true, broken)
		w.Stop()
		state(7, false, nil)
		set(nil, make(chan struct{}))
		w.Wake()
		state(8, true, nil)
		w.Stop()
		state(8, false, nil)
		w.Wake()
		state(9, true, nil)
		w.Close()
		w.Wake()
		state(9, false, nil)
	})
}

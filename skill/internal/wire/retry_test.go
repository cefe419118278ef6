package wire_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/internal/wire"
)

func TestRetry(t *testing.T) {
	busy := func(after time.Duration) error {
		return &skill.ModelError{Fault: skill.FaultOverloaded, After: after}
	}
	auth := error(&skill.ModelError{Fault: skill.FaultAuth})
	other := errors.New("other")
	for _, tt := range []struct {
		name  string
		errs  []error // of the tries; none left: an answer
		begun bool
		tries int
		want  string // the fault at the end; empty: an answer
		waits []time.Duration
	}{
		{"answered at once", nil, false, 1, "", nil},
		{"answered at last", []error{busy(time.Second), busy(3 * time.Second)}, false, 3, "", []time.Duration{time.Second, 3 * time.Second}},
		{"never", []error{busy(time.Second), busy(time.Second), busy(time.Second), busy(0)}, false, 3, skill.FaultOverloaded, []time.Duration{time.Second, time.Second}},
		{"not what a second try mends", []error{auth}, false, 1, skill.FaultAuth, nil},
		{"something was handed out", []error{busy(time.Second)}, true, 1, skill.FaultOverloaded, nil},
		{"a longer wait than ours", []error{busy(2 * time.Minute)}, false, 1, skill.FaultOverloaded, nil},
		{"an error of another kind", []error{other}, false, 1, "other", nil},
	} {
		var waits []time.Duration
		r := wire.Retry{Tries: 3, Logger: slog.New(slog.DiscardHandler), Wait: func(_ context.Context, d time.Duration) error {
			waits = append(waits, d)
			return nil
		}}
		n := 0
		err := r.Do(t.Context(), func() (bool, error) {
			n++
			if n <= len(tt.errs) {
				return tt.begun, tt.errs[n-1]
			}
			return true, nil
		})
		got := ""
		var e *skill.ModelError
		if errors.As(err, &e) {
			got = e.Fault
			if e.Tries != n {
				t.Errorf("%s: the error says %d tries", tt.name, e.Tries)
			}
		} else if err != nil {
			got = err.Error()
		}
		if got != tt.want || n != tt.tries {
			t.Errorf("%s: %d tries, %q; want %d, %q", tt.name, n, got, tt.tries, tt.want)
		}
		if diff := cmp.Diff(tt.waits, waits); diff != "" {
			t.Errorf("%s: waits (-want +got):\n%s", tt.name, diff)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	r := wire.Retry{Tries: 3, Logger: slog.New(slog.DiscardHandler)}
	err := r.Do(ctx, func() (bool, error) { cancel(); return false, busy(time.Minute) })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("ended while waiting: %v", err)
	}
}

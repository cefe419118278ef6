package bounded

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestCall: a value, an error, a panic, and a call that ignores its context.
func TestCall(t *testing.T) {
	if v, err := Call(t.Context(), "it", Grace, func() (int, error) { return 7, nil }); v != 7 || err != nil {
		t.Errorf("Call = %d, %v; want 7", v, err)
	}
	if _, err := Call(t.Context(), "it", Grace, func() (int, error) { panic("no") }); err == nil || !strings.Contains(err.Error(), "it: panic: no") {
		t.Errorf("a panic gave %v", err)
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		release := make(chan struct{})
		began := time.Now()
		_, err := Call(ctx, "it", 3*time.Second, func() (int, error) { <-release; return 1, nil })
		var hang *HangError
		if !errors.As(err, &hang) || hang.What != "it" || time.Since(began) != 4*time.Second {
			t.Errorf("a call that hangs gave %v after %s, want a HangError after 4s", err, time.Since(began))
		}
		close(release)
	})
}

// forever yields numbers, and looks at no context.
func forever(yield func(int, error) bool) {
	for i := 0; yield(i, nil); i++ {
	}
}

// TestWhile: a stream that never ends ends with its context.
func TestWhile(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last error
	for v, err := range While(ctx, forever) {
		if last = err; v == 3 {
			cancel()
		}
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("the stream ended with %v, want %v", last, context.Canceled)
	}
}

// TestStream: values come in order, a panic is an error, and one that hangs is left behind.
func TestStream(t *testing.T) {
	n := 0
	for v, err := range Stream(t.Context(), "it", Grace, func(context.Context) iter.Seq2[int, error] { return forever }) {
		if v != n || err != nil {
			t.Fatalf("value %d is %d, %v", n, v, err)
		}
		if n++; n == 5 {
			break
		}
	}
	for _, err := range Stream(t.Context(), "it", Grace, func(context.Context) iter.Seq2[int, error] { panic("no") }) {
		if err == nil || !strings.Contains(err.Error(), "it: panic: no") {
			t.Errorf("a panic gave %v", err)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		release := make(chan struct{})
		var last error
		for _, err := range Stream(ctx, "it", 3*time.Second, func(context.Context) iter.Seq2[int, error] {
			return func(yield func(int, error) bool) { <-release }
		}) {
			last = err
		}
		var hang *HangError
		if !errors.As(last, &hang) {
			t.Errorf("a stream that hangs gave %v, want a HangError", last)
		}
		close(release)
	})
}

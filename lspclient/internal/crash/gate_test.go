package crash

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestGate: a suspected request is alone, as long as that is not for ever.
func TestGate(t *testing.T) {
	var g Gate
	done := make(chan struct{})
	leave, err := g.Enter(t.Context(), done, false)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := g.Enter(ctx, done, true); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a suspected one beside another: %v, want the deadline", err)
	}
	leave()
	leave()
	leave, err = g.Enter(t.Context(), done, true)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel = context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	for _, alone := range []bool{false, true} {
		if _, err := g.Enter(ctx, done, alone); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("one beside a suspected one: %v, want the deadline", err)
		}
	}
	leave()
	if leave, err = g.Enter(t.Context(), done, false); err != nil {
		t.Fatal(err)
	}
	leave()
}

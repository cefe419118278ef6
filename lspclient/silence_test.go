package lspclient

import (
	"context"
	"errors"
	"testing"
	"time"
)

// TestSilence: a server that lets two calls run out of time and does nothing is replaced by the next one; one that is at
// work is not, however long it says nothing.
func TestSilence(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		script string
		lives  int
	}{
		"does nothing": {"references#1 late 60s", 2},
		"is at work":   {"references#1 works 3000", 1},
	} {
		t.Run(name, func(t *testing.T) {
			c, _, dir := fakeClient(t, tt.script, nil)
			if _, err := c.Symbols(t.Context(), "a.fk"); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
				if r, err := c.References(ctx, At("a.fk", 2, 5), nil); !errors.Is(err, context.DeadlineExceeded) {
					t.Fatalf("References = %+v, %v, want the deadline", r, err)
				}
				cancel()
			}
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			if r, err := c.References(ctx, At("a.fk", 2, 5), nil); err != nil || r.Total != 2 {
				t.Errorf("References = %+v, %v", r, err)
			}
			lives := 0
			for _, method := range fakeLog(t, dir) {
				if method == "initialize" {
					lives++
				}
			}
			if lives != tt.lives {
				t.Errorf("%d lives of the server, want %d", lives, tt.lives)
			}
		})
	}
}

package crash

import (
	"context"
	"errors"
	"sync"
	"time"
)

// MaxTrial bounds how long a suspected request keeps all others waiting.
const MaxTrial = 5 * time.Second

// Gate lets requests through, all at once, or a suspected one alone.
type Gate struct {
	mu      sync.Mutex
	inside  int  // ordinary requests
	trial   bool // a suspected one is inside
	queue   int  // suspected ones that wait
	changed chan struct{}
}

// Enter waits for a place. leave may be called more than once.
func (g *Gate) Enter(ctx context.Context, done <-chan struct{}, alone bool) (leave func(), err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if alone {
		g.queue++
		defer func() { g.queue--; g.wake() }()
	}
	patience := time.Now().Add(MaxTrial) // for ordinary requests to end; they are innocent so far
	for {
		free := !g.trial && (alone || g.queue == 0)
		if alone && g.inside > 0 && time.Now().Before(patience) {
			free = false
		}
		if free {
			break
		}
		if g.changed == nil {
			g.changed = make(chan struct{})
		}
		changed := g.changed
		g.mu.Unlock()
		timer := time.NewTimer(time.Until(patience) + time.Millisecond)
		select {
		case <-changed:
		case <-timer.C:
		case <-ctx.Done():
			err = ctx.Err()
		case <-done:
			err = errors.New("the connection ended")
		}
		timer.Stop()
		g.mu.Lock()
		if err != nil {
			return nil, err
		}
	}
	if alone {
		g.trial = true
	} else {
		g.inside++
	}
	return sync.OnceFunc(func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		if alone {
			g.trial = false
		} else {
			g.inside--
		}
		g.wake()
	}), nil
}

// wake lets those look again who wait; the lock is held.
func (g *Gate) wake() {
	if g.changed != nil {
		close(g.changed)
		g.changed = nil
	}
}

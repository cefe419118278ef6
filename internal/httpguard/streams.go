package httpguard

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

var (
	errCrowded = errors.New("the stream was silent, and its place was needed")
	errStopped = errors.New("the server stops")
)

// streams are the answers that pass as they are written. All of them, and those of each client, are limited. When all places are taken, the stream whose
// client is waited for longest ends, or else the one that was silent for longest, if that is long enough: its client comes again. So a crowd that takes its
// answers slowly puts out its own.
type streams struct {
	all, each int
	stuck     time.Duration // waiting for a client after which a place may be taken away
	quiet     time.Duration // silence after which it may

	mu      sync.Mutex
	open    map[*stream]bool
	running int // handlers, those of streams whose place was taken away included
	stopped bool
}

// A stream is one request; the mutex of streams guards it.
type stream struct {
	of   any       // whose it is
	last time.Time // when a byte passed
	wait time.Time // since when a write waits for the client; zero: none does
	end  context.CancelCauseFunc
	kick func() // ends the write that waits
}

// enter takes a place, or says why there is none.
func (ss *streams) enter(of any, end context.CancelCauseFunc, kick func()) (*stream, error) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	if ss.stopped {
		return nil, Errorf(http.StatusServiceUnavailable, "the server stops")
	}
	own, silent, slow := 0, (*stream)(nil), (*stream)(nil)
	for s := range ss.open {
		if s.of == of {
			own++
		}
		if silent == nil || s.last.Before(silent.last) {
			silent = s
		}
		if !s.wait.IsZero() && (slow == nil || s.wait.Before(slow.wait)) {
			slow = s
		}
	}
	if own >= ss.each {
		return nil, Errorf(http.StatusTooManyRequests, "%d streams of one client are open: end one of them", own)
	}
	if len(ss.open) >= ss.all {
		out := slow
		if out == nil || time.Since(out.wait) < ss.stuck {
			out = silent
			if time.Since(out.last) < ss.quiet {
				return nil, Errorf(http.StatusServiceUnavailable, "too many streams at once: try again")
			}
		}
		out.end(errCrowded)
		if !out.wait.IsZero() {
			out.kick()
		}
		delete(ss.open, out)
	}
	s := &stream{of: of, last: time.Now(), end: end, kick: kick}
	ss.open[s] = true
	ss.running++
	return s, nil
}

// passed says that bytes came from the client.
func (ss *streams) passed(s *stream) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	s.last = time.Now()
}

// writes says that a write to the client begins, or that one ended. It reports whether the stream has its place still.
func (ss *streams) writes(s *stream, begins bool) bool {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	s.wait = time.Time{}
	if begins {
		s.wait = time.Now()
	} else {
		s.last = time.Now()
	}
	return ss.open[s]
}

func (ss *streams) leave(s *stream) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	delete(ss.open, s)
	ss.running--
}

// stop lets nobody in any more, and tells who is there.
func (ss *streams) stop() {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	ss.stopped = true
	for s := range ss.open {
		s.end(errStopped)
	}
}

// drain waits until nobody is there.
func (ss *streams) drain(ctx context.Context) error {
	for {
		ss.mu.Lock()
		n := ss.running
		ss.mu.Unlock()
		if n == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.New("streams that were ended still run")
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// owner says whose a request is: an address's, or a connection's where all have one address, on this machine.
func owner(r *http.Request) any {
	if addr, err := netip.ParseAddrPort(r.RemoteAddr); err == nil && !addr.Addr().Unmap().IsLoopback() {
		return addr.Addr().Unmap().WithZone("")
	}
	return r.RemoteAddr
}

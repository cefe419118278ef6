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

// streams are the answers that pass as they are written. All of them, and those of each client, are limited. When all places are taken, the stream that
// was silent for longest ends, if that is long enough: its client comes again.
type streams struct {
	all, each int
	quiet     time.Duration // silence after which a place may be taken away

	mu      sync.Mutex
	open    map[*stream]bool
	running int // handlers, those of streams whose place was taken away included
	stopped bool
}

// A stream is one request; the mutex of streams guards it.
type stream struct {
	of   any       // whose it is
	last time.Time // when a byte passed
	end  context.CancelCauseFunc
}

// enter takes a place, or says why there is none.
func (ss *streams) enter(of any, end context.CancelCauseFunc) (*stream, error) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	if ss.stopped {
		return nil, Errorf(http.StatusServiceUnavailable, "the server stops")
	}
	own, oldest := 0, (*stream)(nil)
	for s := range ss.open {
		if s.of == of {
			own++
		}
		if oldest == nil || s.last.Before(oldest.last) {
			oldest = s
		}
	}
	if own >= ss.each {
		return nil, Errorf(http.StatusTooManyRequests, "%d streams of one client are open: end one of them", own)
	}
	if len(ss.open) >= ss.all {
		if time.Since(oldest.last) < ss.quiet {
			return nil, Errorf(http.StatusServiceUnavailable, "too many streams at once: try again")
		}
		oldest.end(errCrowded)
		delete(ss.open, oldest)
	}
	s := &stream{of: of, last: time.Now(), end: end}
	ss.open[s] = true
	ss.running++
	return s, nil
}

// passed says that bytes went through.
func (ss *streams) passed(s *stream) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	s.last = time.Now()
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

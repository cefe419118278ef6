package session

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/process"
)

const (
	defaultIdle    = 10 * time.Minute
	defaultServers = 8

	// preemptAfter is how long a question waits for a place before a busy server is made to give up its own.
	preemptAfter = time.Second
	// overSoon: a server that goes over its memory so soon after it was stopped for it cannot do with less.
	overSoon = time.Minute

	// sampleEvery is how often memory is looked at, sampleClose when a server has half of what it may have; a look takes
	// no more than a hundredth of the time.
	sampleEvery = 2 * time.Second
	sampleClose = 250 * time.Millisecond
)

// limits bound how many servers run, for how long without a question, and with how much memory. A server has a place from
// its first question on until it was stopped; there are MaxServers places.
type limits struct {
	pool *Pool

	mu       sync.Mutex // never held while a server's lock is taken; it is taken with that held
	closed   bool
	watching bool             // the goroutine of watch runs
	placed   map[*Server]bool // those with a place
	changed  chan struct{}    // closed and replaced when a place or a server may have become free
}

// use is what the limits know of one server; their lock is held for it.
type use struct {
	users    int           // questions and starts under way
	idle     time.Time     // since when there are none
	stopping chan struct{} // closed when the stop that is under way has ended; nil when none is
	drain    bool          // it is to be stopped as soon as it has no users, and gets no new ones before
	lastOver time.Time     // when it was last over its memory
	full     *MemoryError  // why it is left alone until
	until    time.Time
	memory   process.Memory
}

// asking is the key of a context's value that is there while a question is put: questions within it wait for no drain.
type asking struct{}

// acquire waits until a question may be put to the server; release must be called after it.
func (l *limits) acquire(ctx context.Context, v *Server) error {
	within := ctx.Value(asking{}) != nil
	began := time.Now()
	for {
		l.mu.Lock()
		if l.closed {
			l.mu.Unlock()
			return errs.Closed
		}
		u := &v.use
		if u.full != nil && time.Now().Before(u.until) {
			l.mu.Unlock()
			return &ServerError{Server: v.Spec.Name, Err: fmt.Errorf("it is tried again in %v: %w", time.Until(u.until).Round(time.Second), u.full)}
		}
		wait := (<-chan struct{})(l.changed)
		switch {
		case u.stopping != nil:
			wait = u.stopping
		case u.drain && !within:
			if u.users == 0 {
				l.stop(v)
				wait = u.stopping
			}
		case l.placed[v] || l.pool.opts.MaxServers < 0 || len(l.placed) < l.pool.opts.MaxServers:
			l.placed[v] = true
			u.users++
			if !l.watching {
				l.watching = true
				l.pool.workers.Go(l.watch)
			}
			l.mu.Unlock()
			return nil
		default:
			if w := l.free(time.Since(began) > preemptAfter); w != nil {
				wait = w.use.stopping
			}
		}
		l.mu.Unlock()
		timer := time.NewTimer(preemptAfter)
		select {
		case <-wait:
		case <-timer.C:
		case <-l.pool.life.Done():
		case <-ctx.Done():
			timer.Stop()
			return &ServerError{Server: v.Spec.Name, Err: fmt.Errorf("waiting for a place among the servers that run (Options.MaxServers is %d): %w",
				l.pool.opts.MaxServers, ctx.Err())}
		}
		timer.Stop()
	}
}

// free begins to stop the least recently used server without users and returns it, nil if all have some. In a hurry it
// marks the one with the fewest, so that it gets no more. The lock is held.
func (l *limits) free(hurry bool) *Server {
	var oldest, calm *Server
	for v := range l.placed {
		u := &v.use
		switch {
		case u.stopping != nil:
			return v
		case u.users == 0:
			if oldest == nil || u.idle.Before(oldest.use.idle) {
				oldest = v
			}
		case u.drain:
			hurry = false // one is on its way out
		case calm == nil || u.users < calm.use.users:
			calm = v
		}
	}
	if oldest != nil {
		l.stop(oldest)
		return oldest
	}
	if hurry && calm != nil {
		calm.use.drain = true
	}
	return nil
}

// reserve counts a start as a user, so that the server is not stopped before somebody could ask it.
func (l *limits) reserve(v *Server) {
	l.mu.Lock()
	defer l.mu.Unlock()
	v.use.users++
}

// release ends what acquire or reserve began.
func (l *limits) release(v *Server) {
	l.mu.Lock()
	defer l.mu.Unlock()
	u := &v.use
	if u.users--; u.users > 0 {
		return
	}
	u.idle = time.Now()
	if u.drain {
		l.stop(v)
	}
	l.wake()
}

func (l *limits) wake() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// stop begins to stop a server without users. The lock is held.
func (l *limits) stop(v *Server) {
	if l.closed || v.use.stopping != nil {
		return
	}
	ended := make(chan struct{})
	v.use.stopping = ended
	l.pool.workers.Go(func() {
		v.stop()
		l.mu.Lock()
		defer l.mu.Unlock()
		v.use.stopping, v.use.drain, v.use.memory = nil, false, process.Memory{}
		delete(l.placed, v)
		close(ended)
		l.wake()
	})
}

// close lets no question begin any more.
func (l *limits) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
}

// watch stops servers that nobody asks and looks at the memory of all, until none has a place.
func (l *limits) watch() {
	pause := time.Duration(0)
	for {
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-l.pool.life.Done():
			timer.Stop()
			return
		}
		servers := l.expire()
		if servers == nil {
			return
		}
		near, took := l.sample(servers)
		pause = sampleEvery
		if near {
			pause = sampleClose
		}
		pause = max(pause, 100*took)
		if idle := l.pool.opts.IdleTimeout; idle > 0 {
			pause = min(pause, max(idle/4, 5*time.Millisecond))
		}
	}
}

// expire stops what has been idle for long enough, and returns the servers with a place; nil when there are none, and
// then watching is over.
func (l *limits) expire() []*Server {
	l.mu.Lock()
	defer l.mu.Unlock()
	for v := range l.placed {
		u := &v.use
		if u.users == 0 && u.stopping == nil && l.pool.opts.IdleTimeout > 0 && time.Since(u.idle) >= l.pool.opts.IdleTimeout {
			l.pool.opts.Logger.Info("lspclient: server stopped", "server", v.Spec.Name, "folder", v.Folder, "reason", "nobody asked it for "+l.pool.opts.IdleTimeout.String())
			l.stop(v)
		}
	}
	l.watching = len(l.placed) > 0
	return slices.Collect(maps.Keys(l.placed))
}

// sample looks at the memory of the servers and does what the limit asks for. It reports whether one is near the limit,
// and how long looking took.
func (l *limits) sample(servers []*Server) (near bool, took time.Duration) {
	limit := l.pool.opts.MaxMemory
	running := map[*Server]*Session{}
	var leaders []int
	for _, v := range servers {
		if s := v.Running(); s != nil {
			running[v] = s
			leaders = append(leaders, s.Process.PID())
		}
	}
	if len(leaders) == 0 {
		return false, 0
	}
	began := time.Now()
	taken := process.SampleMemory(leaders)
	took = time.Since(began)
	for v, s := range running {
		m := taken[s.Process.PID()]
		near = near || limit > 0 && m.Bytes > limit/2
		l.mu.Lock()
		v.use.memory = m
		kill := limit > 0 && m.Bytes > limit && l.over(v, s, m.Bytes)
		l.mu.Unlock()
		if kill {
			v.kill(s, &MemoryError{Server: s.Label, Folder: v.Folder, Bytes: m.Bytes, Limit: limit})
		}
	}
	return near, took
}

// over notes that a server is over its memory: it is stopped when it has no users, or at once (then over reports true)
// if it has half as much again as it may, or was stopped for its memory just before it started. The lock is held.
func (l *limits) over(v *Server, s *Session, bytes int64) (kill bool) {
	u, now, limit := &v.use, time.Now(), l.pool.opts.MaxMemory
	again := !u.lastOver.IsZero() && s.Ready.Since.After(u.lastOver) && now.Sub(s.Ready.Since) < overSoon
	if again {
		u.full, u.until = &MemoryError{Server: s.Label, Folder: v.Folder, Bytes: bytes, Limit: limit}, now.Add(breakFor)
	} else if !u.drain {
		l.pool.opts.Logger.Info("lspclient: server over its memory", "server", s.Label, "folder", v.Folder, "bytes", bytes, "limit", limit)
	}
	u.lastOver = now
	if again || bytes-limit > limit/2 {
		u.drain = false
		return true
	}
	u.drain = true
	if u.users == 0 {
		l.stop(v)
	}
	return false
}

// memoryOf returns what was last seen of a server, and since when nobody asks it; the zero time while somebody does.
func (l *limits) memoryOf(v *Server) (process.Memory, time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if v.use.users > 0 {
		return v.use.memory, time.Time{}
	}
	return v.use.memory, v.use.idle
}

// Running returns the living session, nil when there is none.
func (v *Server) Running() *Session {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.current == nil || v.current.Conn.Failure() != nil {
		return nil
	}
	return v.current
}

// stop stops the server until the next question. That is no death.
func (v *Server) stop() {
	v.mu.Lock()
	s := v.current
	v.current = nil
	v.mu.Unlock()
	if s != nil {
		s.shutdown()
	}
}

// kill ends a session at once; those who wait for it are told why. That is no death either.
func (v *Server) kill(s *Session, why error) {
	v.mu.Lock()
	if v.current == s {
		v.current = nil
	}
	v.mu.Unlock()
	s.Retire(why)
	s.end()
}

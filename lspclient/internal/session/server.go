package session

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/crash"
	"github.com/findspot/findspot/lspclient/internal/documents"
	"github.com/findspot/findspot/lspclient/internal/jsonrpc"
	"github.com/findspot/findspot/lspclient/internal/registry"
)

const (
	// firstBackoff doubles with every death in a row.
	firstBackoff = 50 * time.Millisecond
	// breakAfter deaths in a row a server is left alone for breakFor.
	breakAfter = 5
	breakFor   = 30 * time.Second // doubles with every further death, up to eight times as long
	// startTimeout bounds a start, whoever waits for it.
	startTimeout = time.Minute
)

// Server is one entry of the registry serving one folder. Its process may come and go.
type Server struct {
	Pool    *Pool
	Spec    *registry.Spec
	Install *registry.Install
	Folder  string
	use     use // see limits

	mu       sync.Mutex
	current  *Session
	starting *start
	closed   bool
	renewals int       // in a row, without an answer between
	deaths   int       // likewise
	lastEnd  time.Time // of the last one
	lastErr  error

	crashes crash.Log
}

// start is a start that is under way.
type start struct {
	done chan struct{}
	sess *Session
	err  error
}

// Session returns the living session, or starts one. A start goes on when the caller that wanted it first has left.
func (v *Server) Session(ctx context.Context) (*Session, error) {
	v.mu.Lock()
	if v.closed {
		v.mu.Unlock()
		return nil, errs.Closed
	}
	if s := v.current; s != nil {
		if s.Conn.Failure() == nil && !s.stall.stuck(s) {
			v.mu.Unlock()
			return s, nil
		}
		v.current = nil
		why := s.Conn.Failure()
		if why == nil {
			why = &jsonrpc.EndedError{Cause: errors.New("it was silent, and was given up")}
			s.Retire(why)
			v.countDeath(s.Fail("", why))
		} else if !s.retired.Load() {
			v.countDeath(s.Fail("", why))
		}
	}
	st := v.starting
	if st == nil {
		if until := v.refusedUntil(); time.Now().Before(until) {
			err := &ServerError{Server: v.Spec.Name, Err: &BreakerError{Deaths: v.deaths, Until: until, Last: cause(v.lastErr)}}
			var last *ServerError
			if errors.As(v.lastErr, &last) {
				err.Stderr = last.Stderr
			}
			v.mu.Unlock()
			return nil, err
		}
		st = &start{done: make(chan struct{})}
		v.starting = st
		wait := time.Duration(0)
		if v.deaths > 1 {
			wait = firstBackoff << min(v.deaths-2, breakAfter)
		}
		v.Pool.limits.reserve(v)
		v.Pool.workers.Go(func() {
			defer v.Pool.limits.release(v)
			v.start(st, wait)
		})
	}
	v.mu.Unlock()
	select {
	case <-st.done:
		return st.sess, st.err
	case <-ctx.Done():
		return nil, &ServerError{Server: v.Spec.Name, Method: "initialize", Err: fmt.Errorf("still starting: %w", ctx.Err())}
	}
}

// refusedUntil returns until when the server is left alone; the lock is held.
func (v *Server) refusedUntil() time.Time {
	if v.deaths < breakAfter {
		return time.Time{}
	}
	return v.lastEnd.Add(v.Pool.BreakFor << min(v.deaths-breakAfter, 3))
}

// cause returns how a server ended, without what makes a call be put again.
func cause(err error) error {
	var failed *ServerError
	if errors.As(err, &failed) {
		err = failed.Err
	}
	return fmt.Errorf("%v", err)
}

// countDeath counts a death; the lock is held.
func (v *Server) countDeath(err error) {
	v.deaths++
	v.lastEnd, v.lastErr = time.Now(), err
	v.Pool.opts.Logger.Info("lspclient: server ended", "server", v.Spec.Name, "folder", v.Folder, "reason", err.Error())
}

// Died returns how often in a row the server ended without an answer between.
func (v *Server) Died() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.deaths
}

func (v *Server) start(st *start, wait time.Duration) {
	began := time.Now()
	ctx, cancel := context.WithTimeout(v.Pool.life, startTimeout+wait)
	defer cancel()
	select {
	case <-time.After(wait):
	case <-ctx.Done():
	}
	sess, err := startSession(ctx, v)
	v.mu.Lock()
	if err == nil && v.closed {
		err = errs.Closed
		v.Pool.workers.Go(sess.end)
		sess = nil
	}
	v.starting = nil
	v.current = sess
	if err != nil {
		v.countDeath(err)
	}
	v.mu.Unlock()
	st.sess, st.err = sess, err
	close(st.done)
	if err == nil {
		v.Pool.opts.Logger.Info("lspclient: server started", "server", sess.Label, "folder", v.Folder, "network", string(sess.Process.Network), "took", time.Since(began))
	}
}

// succeeded notes that the server has answered.
func (v *Server) succeeded() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.deaths, v.renewals = 0, 0
}

// close ends the session. The client's life must have ended before, so that a start under way ends too.
func (v *Server) close() {
	v.mu.Lock()
	v.closed = true
	s := v.current
	v.current = nil
	v.mu.Unlock()
	if s != nil {
		s.shutdown()
	}
}

// State returns whether a process runs and whether it has read its folder.
func (v *Server) State() (running, ready bool, problem string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.current == nil || v.current.Conn.Failure() != nil {
		if v.lastErr != nil {
			problem = v.lastErr.Error()
		}
		return false, false, problem
	}
	st, _ := v.current.Ready.Status()
	ready = st.Signalled && st.Busy == ""
	if problem = st.Problem; problem == "" {
		problem = st.Busy
	}
	return true, ready && st.Problem == "", problem
}

// renew ends a session that is outdated, so that the next question starts another; this is no death. It reports false
// when the server was renewed too often in a row, so that someone who writes faster than it starts does not keep a
// question for ever.
func (v *Server) renew(s *Session, why *documents.OutdatedError) bool {
	const most = 3
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.current != s {
		return true // another question has done it
	}
	if v.renewals++; v.renewals > most {
		v.renewals = 0
		return false
	}
	v.current = nil
	v.Pool.workers.Go(s.shutdown)
	v.Pool.opts.Logger.Info("lspclient: server renewed", "server", v.Spec.Name, "folder", v.Folder, "reason", why.Why)
	return true
}

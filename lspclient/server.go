package lspclient

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

// server is one entry of the registry serving one folder. Its process may come and go.
type server struct {
	client  *pool
	spec    *registry.Spec
	install *registry.Install
	folder  string
	use     use // see limits

	mu       sync.Mutex
	current  *session
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
	sess *session
	err  error
}

// session returns the living session, or starts one. A start goes on when the caller that wanted it first has left.
func (v *server) session(ctx context.Context) (*session, error) {
	v.mu.Lock()
	if v.closed {
		v.mu.Unlock()
		return nil, errs.Closed
	}
	if s := v.current; s != nil {
		if s.conn.Failure() == nil && !s.stuck() {
			v.mu.Unlock()
			return s, nil
		}
		v.current = nil
		why := s.conn.Failure()
		if why == nil {
			why = &jsonrpc.EndedError{Cause: errors.New("it was silent, and was given up")}
			s.retire(why)
			v.countDeath(s.failed("", why))
		} else if !s.retired.Load() {
			v.countDeath(s.failed("", why))
		}
	}
	st := v.starting
	if st == nil {
		if until := v.restsUntil(); time.Now().Before(until) {
			err := &ServerError{Server: v.spec.Name, Err: &BreakerError{Deaths: v.deaths, Until: until, Last: plainEnd(v.lastErr)}}
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
		v.client.limits.hold(v)
		v.client.workers.Go(func() {
			defer v.client.limits.leave(v)
			v.start(st, wait)
		})
	}
	v.mu.Unlock()
	select {
	case <-st.done:
		return st.sess, st.err
	case <-ctx.Done():
		return nil, &ServerError{Server: v.spec.Name, Method: "initialize", Err: fmt.Errorf("still starting: %w", ctx.Err())}
	}
}

// restsUntil returns until when the server is left alone; the lock is held.
func (v *server) restsUntil() time.Time {
	if v.deaths < breakAfter {
		return time.Time{}
	}
	return v.lastEnd.Add(v.client.breakFor << min(v.deaths-breakAfter, 3))
}

// plainEnd returns how a server ended, without what makes a call be put again.
func plainEnd(err error) error {
	var failed *ServerError
	if errors.As(err, &failed) {
		err = failed.Err
	}
	return fmt.Errorf("%v", err)
}

// countDeath counts a death; the lock is held.
func (v *server) countDeath(err error) {
	v.deaths++
	v.lastEnd, v.lastErr = time.Now(), err
	v.client.opts.Logger.Info("lspclient: server ended", "server", v.spec.Name, "folder", v.folder, "reason", err.Error())
}

// died returns how often in a row the server ended without an answer between.
func (v *server) died() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.deaths
}

func (v *server) start(st *start, wait time.Duration) {
	began := time.Now()
	ctx, cancel := context.WithTimeout(v.client.life, startTimeout+wait)
	defer cancel()
	select {
	case <-time.After(wait):
	case <-ctx.Done():
	}
	sess, err := startSession(ctx, v)
	v.mu.Lock()
	if err == nil && v.closed {
		err = errs.Closed
		v.client.workers.Go(sess.end)
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
		v.client.opts.Logger.Info("lspclient: server started", "server", sess.label, "folder", v.folder, "network", string(sess.proc.Network), "took", time.Since(began))
	}
}

// well notes that the server has answered.
func (v *server) well() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.deaths, v.renewals = 0, 0
}

// close ends the session. The client's life must have ended before, so that a start under way ends too.
func (v *server) close() {
	v.mu.Lock()
	v.closed = true
	s := v.current
	v.current = nil
	v.mu.Unlock()
	if s != nil {
		s.shutdown()
	}
}

// state returns whether a process runs and whether it has read its folder.
func (v *server) state() (running, ready bool, problem string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.current == nil || v.current.conn.Failure() != nil {
		if v.lastErr != nil {
			problem = v.lastErr.Error()
		}
		return false, false, problem
	}
	st, _ := v.current.ready.Status()
	ready = st.Signalled && st.Busy == ""
	if problem = st.Problem; problem == "" {
		problem = st.Busy
	}
	return true, ready && st.Problem == "", problem
}

// renew ends a session that is outdated, so that the next question starts another; this is no death. It reports false
// when the server was renewed too often in a row, so that someone who writes faster than it starts does not keep a
// question for ever.
func (v *server) renew(s *session, why *documents.OutdatedError) bool {
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
	v.client.workers.Go(s.shutdown)
	v.client.opts.Logger.Info("lspclient: server renewed", "server", v.spec.Name, "folder", v.folder, "reason", why.Why)
	return true
}

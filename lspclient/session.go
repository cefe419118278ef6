package lspclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/findspot/findspot/lspclient/internal/ctxlock"
	"github.com/findspot/findspot/lspclient/internal/jsonrpc"
	"github.com/findspot/findspot/lspclient/internal/process"
	"github.com/findspot/findspot/lspclient/internal/project"
	"github.com/findspot/findspot/lspclient/internal/ready"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/wire"
	"go.lsp.dev/protocol"
)

// session is one life of a server: a process, its connection, and what both sides have told each other.
type session struct {
	srv      *server
	proc     *process.Process
	conn     *jsonrpc.Conn
	caps     wire.Capabilities
	encoding source.Encoding
	label    string // name and version
	build    string // tells one build of the server from another
	ready    *ready.Tracker

	registered wire.Registrations // what the server has announced since the handshake
	pushed     pushes             // diagnostics it published
	showing    ctxlock.Mutex      // held while a document is shown anew for them

	slots chan struct{} // holds one value for each request in flight, of ServerSpec.Concurrency; nil: no bound

	flights flights // requests under way, which callers share

	silence silence

	leave     sync.Once   // around what is done when the process has ended
	retired   atomic.Bool // we end it, for a reason of ours: nobody is to blame
	ended     sync.Once   // around autopsy, which sets what follows
	sharedEnd bool        // more than one input may have crashed it

	database *project.Database   // nil when the entry has no rule for one
	kept     *project.DataFolder // nil when the command wants none
	project  *project.Eclipse    // what stands for the workspace folder; nil: that itself
	meanings meanings            // of places in the sources of the project

	noting   ctxlock.Mutex // held while files are read for mentions
	mentions mentionsOf

	documents *documents // that are open in it, and what it was told of files
}

// failed turns the error of a request into a ServerError with the server's last words. It counts silence.
func (s *session) failed(method string, err error) error {
	if have := (*ServerError)(nil); errors.As(err, &have) {
		return err
	}
	if jsonrpc.IsEnded(err) {
		s.proc.Settle() // the exit status and the last words come a moment after the end of stdout
		if how := s.proc.Status(); how != "" {
			var dead *jsonrpc.EndedError
			errors.As(err, &dead)
			err = &jsonrpc.EndedError{Cause: fmt.Errorf("%w (%s)", err, how), Shared: dead.Shared}
		}
	}
	return &ServerError{Server: s.label, Method: method, Stderr: s.proc.Stderr.String(), Err: err}
}

// request puts one request to the server, for those who share the flight. The cause of ctx says why nobody waits any more.
func (s *session) request(ctx context.Context, f *flight, method string, params json.RawMessage) (json.RawMessage, error) {
	const patience = 50 * time.Millisecond
	if s.slots != nil {
		f.queued.Store(true)
		select {
		case s.slots <- struct{}{}:
			f.queued.Store(false)
			defer func() { <-s.slots }()
		case <-s.conn.Done:
			return nil, guardOf(s).post(s.conn.Failure(), false)
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	for {
		raw, err := guardOf(s).guarded(ctx, method, params)
		if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			err = context.Cause(ctx)
		}
		var answered *jsonrpc.ResponseError
		switch {
		case err == nil:
		case errors.As(err, &answered) && (answered.Code == jsonrpc.CodeContentModified || answered.Code == jsonrpc.CodeServerCancelled ||
			answered.Code == jsonrpc.CodeRequestCancelled):
			// The server gave the question up by itself, because its files changed under it: ask again.
			select {
			case <-time.After(patience):
				continue
			case <-ctx.Done():
				err = context.Cause(ctx)
			}
		}
		if errors.Is(err, context.DeadlineExceeded) {
			s.flights.workers.Go(func() { s.silence.begin(s) }) // nobody waits for the look at the processes
		}
		return raw, err
	}
}

// retire ends the session for a reason of ours, such as that it is idle or too large. It counts as no death, and what the
// server was at is not blamed for it.
func (s *session) retire(why error) {
	s.retired.Store(true)
	s.conn.Close(why)
}

// end kills the process and waits for everything the session started.
func (s *session) end() {
	if s.conn.Failure() == nil {
		s.retire(errors.New("the session was ended"))
	}
	s.proc.Kill()
	s.conn.Wait()
	s.flights.close(guardOf(s).post(s.conn.Failure(), false)) // not "cancelled": who still waits asks the next process
	s.leave.Do(func() {
		if err := s.kept.Close(); err != nil {
			s.srv.client.opts.Logger.Info("lspclient: data folder not emptied", "server", s.label, "path", s.kept.Home, "reason", err.Error())
		}
	})
}

// shutdown asks the server to end and gives it a moment, then ends it.
func (s *session) shutdown() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	s.retired.Store(true)
	if s.conn.Failure() == nil && !s.stuck() {
		if s.conn.Call(ctx, protocol.MethodShutdown, nil, nil) == nil && s.conn.Notify(ctx, protocol.MethodExit, nil) == nil {
			select {
			case <-s.proc.Exited:
			case <-ctx.Done():
			}
		}
	}
	s.end()
}

// stuck reports whether the server has to be replaced: it owes answers and is stopped; or it has let two calls run out of
// time without a word and does nothing; or it works without a word for too long.
func (s *session) stuck() bool {
	heard := s.conn.Heard()
	owed, timedOut := 0, 0
	var oldest time.Time
	for _, r := range s.conn.Unanswered() {
		if r.Sent.Before(heard) {
			continue
		}
		owed++
		if r.Abandoned {
			timedOut++
		}
		if oldest.IsZero() || r.Sent.Before(oldest) {
			oldest = r.Sent
		}
	}
	if s.conn.Blocked() {
		owed++
		timedOut++
	}
	if owed == 0 {
		return false
	}
	if s.proc.Stopped() {
		return true
	}
	if timedOut < 2 {
		return false
	}
	q := &s.silence
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.at.Before(heard) {
		return false
	}
	past := time.Since(q.at)
	if past < 100*time.Millisecond { // too short to measure anything
		return false
	}
	if used, ok := s.proc.ProcessorTime(); ok && used-q.used > past/50 {
		return time.Since(oldest) > longSilence
	}
	return true
}

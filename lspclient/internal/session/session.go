package session

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/documents"
	"github.com/findspot/findspot/lspclient/internal/jsonrpc"
	"github.com/findspot/findspot/lspclient/internal/process"
	"github.com/findspot/findspot/lspclient/internal/project"
	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/ready"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/wire"
)

// Session is one life of a server: a process, its connection, and what both sides have told each other.
type Session struct {
	Server    *Server
	Process   *process.Process
	Conn      *jsonrpc.Conn
	Caps      wire.Capabilities
	Encoding  source.Encoding
	Label     string // name and version
	Settings  Settings
	Ready     *ready.Tracker
	Documents *documents.Set
	Database  *project.Database // nil when the entry has no rule for one
	Project   *project.Eclipse  // what stands for the workspace folder; nil: that itself

	registered wire.Registrations // what the server has announced since the handshake
	slots      chan struct{}      // holds one value for each request in flight, of ServerSpec.Concurrency; nil: no bound
	flights    flights            // requests under way, which callers share
	guard      *crashGuard
	stall      stall
	commands   commands

	leave   sync.Once           // around what is done when the process has ended
	retired atomic.Bool         // we end it, for a reason of ours: nobody is to blame
	data    *project.DataFolder // nil when the command wants none

	attaching sync.Once
	attached  any
}

// Attach returns what the layer above keeps for this session, which make returns the first time.
func (s *Session) Attach(make func() any) any {
	s.attaching.Do(func() { s.attached = make() })
	return s.attached
}

// Notify sends a notification, behind what the server must know for it.
func (s *Session) Notify(ctx context.Context, method string, params any) error {
	if err := s.commands.introduce(ctx, s, params); err != nil {
		return err
	}
	return s.Conn.Notify(ctx, method, params)
}

// Send asks without any precautions, and drops the answer.
func (s *Session) Send(ctx context.Context, method string, params any) error {
	return s.Conn.Call(ctx, method, params, nil)
}

// Refuses returns an error when the text of a file is known to crash the server.
func (s *Session) Refuses(path string, text *source.Text) error { return s.guard.refuses(path, text) }

// Fail turns the error of a request into a ServerError with the server's last words..
func (s *Session) Fail(method string, err error) error {
	if have := (*ServerError)(nil); errors.As(err, &have) {
		return err
	}
	if jsonrpc.IsEnded(err) {
		s.Process.Settle() // the exit status and the last words come a moment after the end of stdout
		if how := s.Process.Status(); how != "" {
			var dead *jsonrpc.EndedError
			errors.As(err, &dead)
			err = &jsonrpc.EndedError{Cause: fmt.Errorf("%w (%s)", err, how), Shared: dead.Shared}
		}
	}
	return &ServerError{Server: s.Label, Method: method, Stderr: s.Process.Stderr.String(), Err: err}
}

// Retire ends the session for a reason of ours, such as that it is idle or too large. It counts as no death, and what the
// server was at is not blamed for it.
func (s *Session) Retire(why error) {
	s.retired.Store(true)
	s.Conn.Close(why)
}

// end kills the process and waits for everything the session started.
func (s *Session) end() {
	if s.Conn.Failure() == nil {
		s.Retire(errors.New("the session was ended"))
	}
	s.Process.Kill()
	s.Conn.Wait()
	s.flights.close(s.guard.post(s.Conn.Failure(), false)) // not "cancelled": who still waits asks the next process
	s.leave.Do(func() {
		if err := s.data.Close(); err != nil {
			s.Server.Pool.opts.Logger.Info("lspclient: data folder not emptied", "server", s.Label, "path", s.data.Home, "reason", err.Error())
		}
	})
}

// shutdown asks the server to end and gives it a moment, then ends it.
func (s *Session) shutdown() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	s.retired.Store(true)
	if s.Conn.Failure() == nil && !s.stall.stuck(s) {
		if s.Conn.Call(ctx, protocol.MethodShutdown, nil, nil) == nil && s.Conn.Notify(ctx, protocol.MethodExit, nil) == nil {
			select {
			case <-s.Process.Exited:
			case <-ctx.Done():
			}
		}
	}
	s.end()
}

// Unsupported says that the server does not offer what was asked.
func (s *Session) Unsupported(what string) error {
	return fmt.Errorf("%s offers no %s: %w", s.Label, what, errs.Unsupported)
}

package lspclient

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/findspot/findspot/lspclient/internal/documents"
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
	srv       *server
	proc      *process.Process
	conn      *jsonrpc.Conn
	caps      wire.Capabilities
	encoding  source.Encoding
	label     string // name and version
	settings  settings
	ready     *ready.Tracker
	documents *documents.Set
	database  *project.Database // nil when the entry has no rule for one
	project   *project.Eclipse  // what stands for the workspace folder; nil: that itself

	registered wire.Registrations // what the server has announced since the handshake
	slots      chan struct{}      // holds one value for each request in flight, of ServerSpec.Concurrency; nil: no bound
	flights    flights            // requests under way, which callers share
	guard      *crashGuard
	silence    silence

	leave   sync.Once           // around what is done when the process has ended
	retired atomic.Bool         // we end it, for a reason of ours: nobody is to blame
	data    *project.DataFolder // nil when the command wants none

	attaching sync.Once
	attached  any
}

// attach returns what the layer above keeps for this session, which make returns the first time.
func (s *session) attach(make func() any) any {
	s.attaching.Do(func() { s.attached = make() })
	return s.attached
}

// Notify sends a notification.
func (s *session) Notify(ctx context.Context, method string, params any) error {
	return s.conn.Notify(ctx, method, params)
}

// Send asks without any precautions, and drops the answer.
func (s *session) Send(ctx context.Context, method string, params any) error {
	return s.conn.Call(ctx, method, params, nil)
}

// Refuses returns an error when the text of a file is known to crash the server.
func (s *session) Refuses(path string, text *source.Text) error { return s.guard.refuses(path, text) }

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
	s.flights.close(s.guard.post(s.conn.Failure(), false)) // not "cancelled": who still waits asks the next process
	s.leave.Do(func() {
		if err := s.data.Close(); err != nil {
			s.srv.client.opts.Logger.Info("lspclient: data folder not emptied", "server", s.label, "path", s.data.Home, "reason", err.Error())
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

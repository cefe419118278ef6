package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/findspot/findspot/lspclient/internal/jsonrpc"
	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/wire"
)

// flights are the requests of one session that are under way, by what they ask. Callers that ask the same thing at the
// same time share one request; each decodes the answer for itself, so that nobody shares memory.
type flights struct {
	mu      sync.Mutex
	closed  bool
	byKey   map[string]*flight
	workers sync.WaitGroup
}

// flight is one request with those who wait for it. It has no deadline of its own: each waiter leaves at its own, and
// with the last one the request is cancelled.
type flight struct {
	began  time.Time
	done   chan struct{} // closed when raw and err are set
	raw    json.RawMessage
	err    error
	queued atomic.Bool // it still waits for a slot of the server
	cancel context.CancelCauseFunc

	waiters  int  // the lock of flights is held for these
	timedOut bool // one of those who left had run out of time
}

// notBefore is the key of a context's value: the moment before which a shared request must not have begun.
type notBefore struct{}

// askedSince returns a context whose requests share none that began before t, for asking a second time.
func askedSince(ctx context.Context, t time.Time) context.Context {
	return context.WithValue(ctx, notBefore{}, t)
}

// flightKey says what makes two requests one: the question, what the server had been told of files when it was put, and
// what the server had said about its work. A request that was put while the server still read its folder is another one
// than the same request afterwards.
func (s *Session) flightKey(method string, params json.RawMessage) string {
	return fmt.Sprintf("%d %d %s %s", s.Conn.Notified(), s.Ready.Changes(), method, params)
}

// Call asks the server one thing and decodes the answer into result unless that is nil. All its errors are ServerErrors.
// It must be safe to ask twice, and to share: a call that finds the same request under way waits for its answer.
func (s *Session) Call(ctx context.Context, method string, params, result any) error {
	raw, err := s.share(ctx, method, params)
	if err == nil && result != nil {
		err = jsonrpc.Decode(raw, result)
	}
	if err != nil {
		return s.Fail(method, err)
	}
	return nil
}

func (s *Session) share(ctx context.Context, method string, params any) (json.RawMessage, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var asked json.RawMessage
	if params != nil {
		var err error
		if asked, err = protocol.Marshal(params); err != nil {
			return nil, fmt.Errorf("%s: %w", method, err)
		}
	}
	key := s.flightKey(method, asked)
	since, _ := ctx.Value(notBefore{}).(time.Time)
	fs := &s.flights
	fs.mu.Lock()
	if fs.closed {
		fs.mu.Unlock()
		return nil, s.Conn.Failure()
	}
	f := fs.byKey[key]
	if f == nil || f.began.Before(since) {
		own, cancel := context.WithCancelCause(context.Background())
		f = &flight{began: time.Now(), done: make(chan struct{}), cancel: cancel}
		if fs.byKey == nil {
			fs.byKey = map[string]*flight{}
		}
		fs.byKey[key] = f
		fs.workers.Go(func() {
			f.raw, f.err = s.request(own, f, method, asked)
			fs.mu.Lock()
			if fs.byKey[key] == f {
				delete(fs.byKey, key)
			}
			fs.mu.Unlock()
			close(f.done)
			cancel(nil)
		})
	}
	f.waiters++
	fs.mu.Unlock()

	select {
	case <-f.done:
		return f.raw, f.err
	case <-ctx.Done():
	}
	err := ctx.Err()
	if f.queued.Load() {
		err = fmt.Errorf("waiting for other questions: %w", err)
	}
	fs.mu.Lock()
	f.waiters--
	last := f.waiters == 0
	f.timedOut = f.timedOut || errors.Is(err, context.DeadlineExceeded)
	if last {
		if fs.byKey[key] == f {
			delete(fs.byKey, key) // it is as good as gone: nobody joins it any more
		}
		why := context.Canceled
		if f.timedOut {
			why = context.DeadlineExceeded
		}
		f.cancel(why)
	}
	fs.mu.Unlock()
	if last {
		<-f.done // at once; the next call is to know that this one was not answered
	}
	return nil, err
}

// close lets no new request begin, ends those under way for the given reason, and waits for them; the connection must have
// been closed before.
func (fs *flights) close(why error) {
	fs.mu.Lock()
	fs.closed = true
	for _, f := range fs.byKey {
		f.cancel(why)
	}
	fs.mu.Unlock()
	fs.workers.Wait()
}

// request puts one request to the server, for those who share the flight. The cause of ctx says why nobody waits any more.
func (s *Session) request(ctx context.Context, f *flight, method string, params json.RawMessage) (json.RawMessage, error) {
	const patience = 50 * time.Millisecond
	if s.slots != nil {
		f.queued.Store(true)
		select {
		case s.slots <- struct{}{}:
			f.queued.Store(false)
			defer func() { <-s.slots }()
		case <-s.Conn.Done:
			return nil, s.guard.post(s.Conn.Failure(), false)
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	for {
		raw, err := s.guard.send(ctx, method, params)
		if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			err = context.Cause(ctx)
		}
		var answered *jsonrpc.ResponseError
		if errors.As(err, &answered) && (answered.Code == jsonrpc.CodeContentModified || answered.Code == jsonrpc.CodeServerCancelled ||
			answered.Code == jsonrpc.CodeRequestCancelled) {
			// The server gave the question up by itself, because its files changed under it: ask again.
			select {
			case <-time.After(patience):
				continue
			case <-ctx.Done():
				err = context.Cause(ctx)
			}
		}
		if errors.Is(err, context.DeadlineExceeded) {
			s.flights.workers.Go(func() { s.stall.begin(s) }) // nobody waits for the look at the processes
		}
		return raw, err
	}
}

// Waiting counts the calls that wait for requests under way.
func (s *Session) Waiting() (n int) {
	s.flights.mu.Lock()
	defer s.flights.mu.Unlock()
	for _, f := range s.flights.byKey {
		n += f.waiters
	}
	return n
}

// PullDiagnostics asks for the diagnostics of an open document and decodes them into result, unless that is nil; it reports
// false when the server does not offer that.
func (s *Session) PullDiagnostics(ctx context.Context, abs string, result any) (bool, error) {
	options, ok := s.Provider(protocol.MethodTextDocumentDiagnostic)
	if !ok {
		return false, nil
	}
	params := map[string]any{"textDocument": map[string]any{"uri": source.FileURI(abs)}}
	var registered struct {
		Identifier string `json:"identifier"`
	}
	if wire.Kind(options) == '{' && wire.Unmarshal(options, &registered) == nil && registered.Identifier != "" {
		params["identifier"] = registered.Identifier
	}
	raw, err := json.Marshal(params)
	if err != nil {
		return true, err
	}
	return true, s.Call(ctx, protocol.MethodTextDocumentDiagnostic, json.RawMessage(raw), result)
}

// References asks for the references of the symbol at a position, with its declarations or without them.
func (s *Session) References(ctx context.Context, pos protocol.TextDocumentPositionParams, declarations bool) (r wire.Locations, err error) {
	err = s.Call(ctx, protocol.MethodTextDocumentReferences, &protocol.ReferenceParams{
		TextDocumentPositionParams: pos, Context: protocol.ReferenceContext{IncludeDeclaration: declarations},
	}, &r)
	return r, err
}

// Definition asks where the symbol at a position is defined.
func (s *Session) Definition(ctx context.Context, pos protocol.TextDocumentPositionParams) (r wire.Locations, err error) {
	err = s.Call(ctx, protocol.MethodTextDocumentDefinition, &pos, &r)
	return r, err
}

// DocumentSymbols asks for the declarations of a file.
func (s *Session) DocumentSymbols(ctx context.Context, abs string) (r wire.Symbols, err error) {
	err = s.Call(ctx, protocol.MethodTextDocumentDocumentSymbol, &protocol.DocumentSymbolParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: source.FileURI(abs)},
	}, &r)
	return r, err
}

// Position is a place in a file as a question names it.
func Position(abs string, at protocol.Position) protocol.TextDocumentPositionParams {
	return protocol.TextDocumentPositionParams{TextDocument: protocol.TextDocumentIdentifier{URI: source.FileURI(abs)}, Position: at}
}

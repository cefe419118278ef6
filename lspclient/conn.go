package lspclient

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/protocol"
)

const (
	// cancelAfter is the least time between a request and its cancellation on the wire. Pyright 1.1 that reads both at
	// once stops answering until it is restarted.
	cancelAfter = 100 * time.Millisecond
	// queueSize bounds the messages that wait for the writer. A server that does not read fills it, and from then on
	// callers wait with their own deadlines.
	queueSize = 1024
)

// conn is one JSON-RPC 2.0 connection. One goroutine reads, one writes. Answers go to the caller that waits for their
// id; an answer nobody waits for (late, or the second one) is dropped.
type conn struct {
	w       io.WriteCloser
	queue   chan *outgoing
	done    chan struct{} // closed when the connection is of no more use
	workers sync.WaitGroup
	heard   atomic.Int64 // messages read so far
	// notified counts the notifications that are in the queue or sent. It grows after a notification has got its place
	// in the queue: a request that is put when the count is n comes after the first n of them.
	notified atomic.Int64

	// serve answers a request of the server, or takes a notification (then its results are ignored). It runs on the
	// reading goroutine and must not block.
	serve func(method string, params json.RawMessage) (any, *rpcError)

	mu      sync.Mutex
	last    int64                    // id of the last request
	waiting map[int64]chan<- message // requests without an answer
	err     error                    // why done is closed
}

// outgoing is a message in the writer's queue.
type outgoing struct {
	data   []byte
	sentAt atomic.Int64 // Unix nanoseconds after the write, 0 before
	drop   atomic.Bool  // the caller is gone: do not send it at all
}

// message is any JSON-RPC message.
type message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *rpcError       `json:"error,omitempty"`
}

// rpcError is an error a server answers with.
type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *rpcError) Error() string { return fmt.Sprintf("%s (code %d)", clip(e.Message, 500), e.Code) }

// Error codes of JSON-RPC 2.0 and of the Language Server Protocol.
const (
	codeMethodNotFound   = -32601
	codeInvalidParams    = -32602
	codeServerCancelled  = -32802
	codeContentModified  = -32801
	codeRequestCancelled = -32800
)

// newConn starts the two goroutines. Call close, then wait.
func newConn(r io.Reader, w io.WriteCloser, serve func(string, json.RawMessage) (any, *rpcError)) *conn {
	c := &conn{
		w: w, serve: serve,
		queue:   make(chan *outgoing, queueSize),
		done:    make(chan struct{}),
		waiting: map[int64]chan<- message{},
	}
	c.workers.Go(func() { c.read(bufio.NewReaderSize(r, 64<<10)) })
	c.workers.Go(c.write)
	return c
}

// close makes the connection useless for the given reason; the first one counts. Waiting calls return a deadError.
func (c *conn) close(why error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = &deadError{why}
		close(c.done)
		c.w.Close() // frees a writer that a stopped server blocks
	}
}

// wait returns when both goroutines have ended. The reader ends when its stream does.
func (c *conn) wait() { c.workers.Wait() }

// failure returns why the connection was closed, nil while it is open.
func (c *conn) failure() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// call sends a request and decodes its result, as [protocol.Unmarshal] does, into result unless that is nil. It returns
// when ctx ends, whatever the server does; the server is then told, no earlier than cancelAfter.
func (c *conn) call(ctx context.Context, method string, params, result any) error {
	raw, err := c.roundTrip(ctx, method, params)
	if err != nil || result == nil {
		return err
	}
	return decode(raw, result)
}

func (c *conn) roundTrip(ctx context.Context, method string, params any) (json.RawMessage, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	answer := make(chan message, 1)
	c.mu.Lock()
	if c.err != nil {
		defer c.mu.Unlock()
		return nil, c.err
	}
	c.last++
	id := c.last
	c.waiting[id] = answer
	c.mu.Unlock()
	defer c.forget(id)

	idJSON := strconv.AppendInt(nil, id, 10)
	out, err := encode(message{ID: idJSON, Method: method}, params)
	if err != nil {
		return nil, err
	}
	select {
	case c.queue <- out:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-c.done:
		return nil, c.failure()
	}
	select {
	case m := <-answer:
		if m.Error != nil {
			return nil, m.Error
		}
		return m.Result, nil
	case <-ctx.Done():
		c.cancel(id, out)
		return nil, ctx.Err()
	case <-c.done:
		select {
		case m := <-answer: // it came just before the end
			if m.Error == nil {
				return m.Result, nil
			}
		default:
		}
		return nil, c.failure()
	}
}

func (c *conn) forget(id int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, id)
}

// cancel tells the server that nobody waits for the request any more. A request that still is in the queue is not sent;
// the cancellation of a sent one goes out when cancelAfter has passed since.
func (c *conn) cancel(id int64, out *outgoing) {
	out.drop.Store(true)
	sent := out.sentAt.Load()
	if sent == 0 {
		// Either the writer will see drop, or it is inside the write right now: then the timer below runs from here.
		sent = time.Now().UnixNano()
	}
	notice, err := encode(message{Method: protocol.MethodCancelRequest}, map[string]int64{"id": id})
	if err != nil {
		return
	}
	time.AfterFunc(time.Until(time.Unix(0, sent).Add(cancelAfter)), func() {
		if out.sentAt.Load() == 0 {
			return // never sent, or its write has blocked until now: such a server is past listening
		}
		select {
		case <-c.done:
		case c.queue <- notice:
		default: // a full queue: the server does not read
		}
	})
}

// notify sends a notification. It waits only for a place in the queue.
func (c *conn) notify(ctx context.Context, method string, params any) error {
	out, err := encode(message{Method: method}, params)
	if err != nil {
		return err
	}
	select {
	case c.queue <- out:
		c.notified.Add(1)
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-c.done:
		return c.failure()
	}
}

func (c *conn) write() {
	for {
		select {
		case <-c.done:
			return
		case out := <-c.queue:
			if out.drop.Load() {
				continue
			}
			if _, err := c.w.Write(out.data); err != nil {
				c.close(fmt.Errorf("writing to the server: %w", err))
				return
			}
			out.sentAt.Store(time.Now().UnixNano())
		}
	}
}

func (c *conn) read(r *bufio.Reader) {
	for {
		body, err := readFrame(r)
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = errors.New("the server ended")
			}
			c.close(err)
			return
		}
		var m message
		if err := json.Unmarshal(body, &m); err != nil {
			c.close(fmt.Errorf("%w: a message that is not JSON-RPC: %v: %q", ErrFormat, err, clip(string(body), 120)))
			return
		}
		c.heard.Add(1)
		if !c.dispatch(m) {
			return
		}
	}
}

// dispatch handles one message. It reports false when the connection had to be closed.
func (c *conn) dispatch(m message) bool {
	hasID := len(m.ID) > 0 && string(m.ID) != "null"
	switch {
	case m.Method != "" && hasID:
		result, failure := c.serve(m.Method, m.Params)
		reply := message{ID: m.ID, Error: failure}
		var out *outgoing
		var err error
		if failure == nil {
			var raw []byte
			if raw, err = json.Marshal(result); err == nil {
				reply.Result = raw
				out, err = encode(reply, nil)
			}
		} else {
			out, err = encode(reply, nil)
		}
		if err != nil {
			c.close(fmt.Errorf("answering %s: %w", m.Method, err))
			return false
		}
		select {
		case c.queue <- out:
		default:
			// Waiting here would stop the reader, and with it a server that waits for us to read.
			c.close(fmt.Errorf("the server asks (%s) and does not read the answers", m.Method))
			return false
		}
	case m.Method != "":
		c.serve(m.Method, m.Params)
	case hasID:
		var id int64
		if json.Unmarshal(m.ID, &id) != nil {
			return true // not one of ours
		}
		c.mu.Lock()
		answer := c.waiting[id]
		delete(c.waiting, id)
		c.mu.Unlock()
		if answer != nil {
			answer <- m
		}
	}
	return true
}

// encode makes a framed message. Params are encoded as the protocol package does.
func encode(m message, params any) (*outgoing, error) {
	if params != nil {
		raw, err := protocol.Marshal(params)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Method, err)
		}
		m.Params = raw
	}
	body, err := json.Marshal(struct {
		Version string `json:"jsonrpc"`
		message
	}{"2.0", m})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Method, err)
	}
	return &outgoing{data: frame(body)}, nil
}

// decode decodes a result. What does not decode wraps ErrFormat.
func decode(raw json.RawMessage, into any) error {
	if len(raw) == 0 {
		raw = json.RawMessage("null")
	}
	unmarshal := protocol.Unmarshal
	if form, ok := into.(wireForm); ok {
		unmarshal = func(raw []byte, _ any) error { return form.fromWire(raw) }
	}
	if err := unmarshal(raw, into); err != nil {
		return fmt.Errorf("%w: an answer that the protocol does not know: %v", ErrFormat, err)
	}
	return nil
}

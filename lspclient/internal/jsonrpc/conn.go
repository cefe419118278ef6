package jsonrpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/protocol"
)

const (
	// cancelAfter is the least time between a request and its cancellation on the wire, see cancelDue. Pyright 1.1 that
	// reads both at once stops answering until it is restarted.
	cancelAfter = 100 * time.Millisecond
	// maxAbandoned bounds the requests that nobody waits for any more and that are still remembered: to cancel them, and
	// to know what a server was at when it crashed. Of more than these the oldest are forgotten.
	maxAbandoned = 256
)

// Conn is one JSON-RPC 2.0 connection. One goroutine reads, one writes, one sends cancellations when they are due.
// Answers go to the caller that waits for their id; an answer nobody waits for (late, or the second one) is dropped.
type Conn struct {
	w       io.WriteCloser
	out     *outbox
	Done    chan struct{} // closed when the connection is of no more use
	workers sync.WaitGroup
	heard   atomic.Int64 // messages read so far
	// answered is when the last answer to a request came, in Unix nanoseconds; heardAt the last message of any kind.
	answered, heardAt atomic.Int64
	notified          atomic.Int64

	// serve answers a request of the server, or takes a notification (then its results are ignored). It runs on the
	// reading goroutine and must not block.
	serve func(method string, params json.RawMessage) (any, *ResponseError)
	// noise takes what the server wrote to its stdout that is no message; it may be nil.
	noise func(string)

	due chan struct{} // holds a value when there may be a new cancellation to send

	mu      sync.Mutex
	last    int64              // id of the last request
	waiting map[int64]*pending // requests without an answer, also those that nobody waits for
	err     error              // why done is closed
}

// pending is a request without an answer.
type pending struct {
	id        int64
	method    string
	params    json.RawMessage
	out       *outgoing
	answer    chan reply
	abandoned time.Time // when nobody waited any more; the lock of conn is held for this and what follows
	cancelled bool      // the server has been told
	RequestOptions
}

// RequestOptions is what a request may have besides its content.
type RequestOptions struct {
	Trial bool // it is asked alone, because it was under way when the server crashed
	// Seen, unless nil, runs when an answer that is no error was read, before anything that the server wrote after it is
	// looked at. It runs on the reading goroutine and must not block.
	Seen func()
}

// reply is what a request came to.
type reply struct {
	raw json.RawMessage
	err error
}

// NewConn starts the goroutines. Call close, then wait.
func NewConn(r io.Reader, w io.WriteCloser, serve func(string, json.RawMessage) (any, *ResponseError), noise func(string)) *Conn {
	c := &Conn{
		w: w, serve: serve, noise: noise,
		out:     newOutbox(),
		Done:    make(chan struct{}),
		due:     make(chan struct{}, 1),
		waiting: map[int64]*pending{},
	}
	c.workers.Go(func() { c.read(newFrameReader(r)) })
	c.workers.Go(c.write)
	c.workers.Go(c.cancelDue)
	return c
}

// Close makes the connection useless for the given reason; the first one counts. Waiting calls return a deadError.
func (c *Conn) Close(why error) {
	c.mu.Lock()
	first := c.err == nil
	if first {
		c.err = &EndedError{Cause: why}
		close(c.Done)
	}
	c.mu.Unlock()
	if first {
		c.w.Close() // frees a writer that a stopped server blocks
	}
}

// Wait returns when the goroutines have ended. The reader ends when its stream does.
func (c *Conn) Wait() { c.workers.Wait() }

// Failure returns why the connection was closed, nil while it is open.
func (c *Conn) Failure() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Call sends a request and decodes its result, as [Decode] does, into result unless that is nil. It returns
// when ctx ends, whatever the server does; the server is then told, no earlier than cancelAfter.
func (c *Conn) Call(ctx context.Context, method string, params, result any) error {
	raw, err := c.RoundTrip(ctx, method, params)
	if err != nil || result == nil {
		return err
	}
	return Decode(raw, result)
}

func (c *Conn) RoundTrip(ctx context.Context, method string, params any) (json.RawMessage, error) {
	return c.Send(ctx, method, params, RequestOptions{})
}

// Send is roundTrip with more to say of the request.
func (c *Conn) Send(ctx context.Context, method string, params any, how RequestOptions) (json.RawMessage, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p, err := c.prepare(method, params, how)
	if err != nil {
		return nil, err
	}
	if !c.out.put(ctx, c.Done, p.out) {
		c.forget(p.id)
		if err := c.Failure(); err != nil {
			return nil, err
		}
		return nil, ctx.Err()
	}
	select {
	case a := <-p.answer:
		return a.raw, a.err
	case <-ctx.Done():
		c.abandon(p)
		return nil, ctx.Err()
	case <-c.Done:
		select {
		case a := <-p.answer: // it came just before the end
			return a.raw, a.err
		default:
		}
		return nil, c.Failure()
	}
}

// prepare numbers a request and notes that it waits.
func (c *Conn) prepare(method string, params any, how RequestOptions) (*pending, error) {
	c.mu.Lock()
	if c.err != nil {
		defer c.mu.Unlock()
		return nil, c.err
	}
	c.last++
	id := c.last
	c.mu.Unlock()

	out, err := Encode(Message{ID: strconv.AppendInt(nil, id, 10), Method: method}, params)
	if err != nil {
		return nil, err
	}
	p := &pending{id: id, method: method, out: out, answer: make(chan reply, 1), RequestOptions: how}
	p.params, _ = params.(json.RawMessage)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting[id] = p
	return p, nil
}

func (c *Conn) forget(id int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, id)
}

// Request is a request that the server has got and not answered.
type Request struct {
	Method    string
	Params    json.RawMessage // as far as they were given so
	Sent      time.Time
	Trial     bool // see RequestOptions
	Abandoned bool // nobody waits for the answer any more
}

// Unanswered returns the requests that the server has got and not answered, also those that nobody waits for.
func (c *Conn) Unanswered() []Request {
	c.mu.Lock()
	defer c.mu.Unlock()
	var list []Request
	for _, p := range c.waiting {
		if at := p.out.sentAt.Load(); at != 0 {
			list = append(list, Request{
				Method: p.method, Params: p.params, Sent: time.Unix(0, at), Trial: p.Trial, Abandoned: p.out.gone.Load(),
			})
		}
	}
	return list
}

// Answered returns when the last answer to a request came.
func (c *Conn) Answered() time.Time { return time.Unix(0, c.answered.Load()) }

// Heard returns when the last message of any kind came.
func (c *Conn) Heard() time.Time { return time.Unix(0, c.heardAt.Load()) }

// Notified counts the notifications that are in the queue or sent. It grows after a notification has got its place in the
// queue: a request that is put when the count is n comes after the first n of them.
func (c *Conn) Notified() int64 { return c.notified.Load() }

// Blocked reports whether the server has not read for so long that the queue of messages to it is full.
func (c *Conn) Blocked() bool { return c.out.blocked() }

// abandon notes that nobody waits for the request any more. One that still is in the queue is not sent; the cancellation
// of a sent one goes out when cancelAfter has passed since.
func (c *Conn) abandon(p *pending) {
	if c.out.remove(p.out) {
		c.forget(p.id)
		return
	}
	p.out.gone.Store(true)
	c.mu.Lock()
	p.abandoned = time.Now()
	left, oldest := 0, p.id
	for id, w := range c.waiting {
		if !w.abandoned.IsZero() {
			left++
			oldest = min(oldest, id)
		}
	}
	if left > maxAbandoned {
		delete(c.waiting, oldest)
	}
	c.mu.Unlock()
	c.wakeCancels()
}

func (c *Conn) wakeCancels() {
	select {
	case c.due <- struct{}{}:
	default:
	}
}

// oldest returns the request that waits for an answer longest, nil when there is none; the lock is held.
func (c *Conn) oldest() *pending {
	var first *pending
	for _, p := range c.waiting {
		if p.out.sentAt.Load() != 0 && (first == nil || p.id < first.id) {
			first = p
		}
	}
	return first
}

// cancelDue sends the cancellations of abandoned requests when their time has come. Only the oldest request without an
// answer is cancelled, cancelAfter it was sent and the one before it answered: a server that is at work on another one has
// not begun with those behind it, and to be told then breaks pyright and basedpyright as much as in the same read.
func (c *Conn) cancelDue() {
	for {
		var next time.Duration // until the next one is due; 0 means that none is waiting
		var id int64
		c.mu.Lock()
		if p := c.oldest(); p != nil && !p.abandoned.IsZero() && !p.cancelled {
			since := max(p.out.sentAt.Load(), c.answered.Load())
			if wait := time.Until(time.Unix(0, since).Add(cancelAfter)); wait > 0 {
				next = wait
			} else {
				p.cancelled = true
				id = p.id
			}
		}
		c.mu.Unlock()
		if id != 0 {
			notice, err := Encode(Message{Method: protocol.MethodCancelRequest}, map[string]int64{"id": id})
			if err == nil {
				c.out.offer(notice) // a full queue: the server does not read
			}
		}
		var timer *time.Timer
		var rings <-chan time.Time
		if next > 0 {
			timer = time.NewTimer(next)
			rings = timer.C
		}
		select {
		case <-c.Done:
		case <-c.due:
		case <-rings:
		}
		if timer != nil {
			timer.Stop()
		}
		if c.Failure() != nil {
			return
		}
	}
}

// Notify sends a notification. It waits only for a place in the queue.
func (c *Conn) Notify(ctx context.Context, method string, params any) error {
	out, err := Encode(Message{Method: method}, params)
	if err != nil {
		return err
	}
	if err := c.Failure(); err != nil {
		return err
	}
	if c.out.put(ctx, c.Done, out) {
		c.notified.Add(1)
		return nil
	}
	if err := c.Failure(); err != nil {
		return err
	}
	return ctx.Err()
}

func (c *Conn) write() {
	for {
		select {
		case <-c.Done:
			return
		case <-c.out.more:
		}
		for out := c.out.take(); out != nil; out = c.out.take() {
			if _, err := c.w.Write(out.Data); err != nil {
				c.Close(fmt.Errorf("writing to the server: %w", err))
				return
			}
			out.sentAt.Store(time.Now().UnixNano())
			if out.gone.Load() {
				c.wakeCancels()
			}
		}
	}
}

func (c *Conn) read(r *frameReader) {
	r.noise = c.noise
	for {
		body, err := r.next()
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = errors.New("the server ended")
			}
			c.Close(err)
			return
		}
		c.heardAt.Store(time.Now().UnixNano())
		list, err := parseMessages(body)
		if err != nil {
			err = fmt.Errorf("%w: a message that is not JSON-RPC: %v: %q", errs.Format, err, excerpt.Clip(string(body), 120))
			if id := idIn(body); id != nil && c.deliver(id, reply{err: err}) {
				continue // the frame is whole, so that the stream can be followed on
			}
			c.Close(err)
			return
		}
		c.heard.Add(1)
		for _, m := range list {
			if !c.dispatch(m) {
				return
			}
		}
	}
}

// dispatch handles one message. It reports false when the connection had to be closed.
func (c *Conn) dispatch(m Message) bool {
	hasID := len(m.ID) > 0 && string(m.ID) != "null"
	switch {
	case m.Method != "" && hasID:
		answer := Message{ID: m.ID}
		result, failure := c.serve(m.Method, m.Params)
		if answer.Error = failure; failure == nil {
			raw, err := json.Marshal(result)
			if err != nil {
				answer.Error = &ResponseError{Code: CodeInvalidParams, Message: err.Error()}
			}
			answer.Result = raw
		}
		out, err := Encode(answer, nil)
		if err != nil { // an id that cannot be repeated
			c.Close(fmt.Errorf("answering %s: %w", excerpt.Clip(m.Method, 100), err))
			return false
		}
		if _, ok := c.out.offer(out); !ok {
			// Waiting here would stop the reader, and with it a server that waits for us to read.
			c.Close(fmt.Errorf("the server asks (%s) and does not read the answers", excerpt.Clip(m.Method, 100)))
			return false
		}
	case m.Method != "":
		c.serve(m.Method, m.Params)
	case hasID:
		a := reply{raw: m.Result}
		switch {
		case m.Error != nil:
			a = reply{err: m.Error}
		case m.Result == nil:
			// It would read as null, "there is nothing", which nobody said.
			a = reply{err: fmt.Errorf("%w: an answer with neither a result nor an error", errs.Format)}
		}
		c.deliver(m.ID, a)
	case m.Error != nil && c.noise != nil:
		c.noise("an error about no request: " + m.Error.Error() + "\n")
	}
	return true
}

// deliver hands an answer to the request of that id, once. It reports whether there is such a request.
func (c *Conn) deliver(raw json.RawMessage, a reply) bool {
	id, ok := ownID(raw)
	if !ok {
		return false
	}
	c.mu.Lock()
	p := c.waiting[id]
	delete(c.waiting, id)
	next := c.oldest()
	wake := next != nil && !next.abandoned.IsZero()
	c.answered.Store(time.Now().UnixNano())
	c.mu.Unlock()
	if wake {
		c.wakeCancels()
	}
	if p == nil {
		return false
	}
	if p.Seen != nil && a.err == nil {
		p.Seen()
	}
	p.answer <- a
	return true
}

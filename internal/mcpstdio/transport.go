package mcpstdio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Options are bounds of a transport. The zero value of each field is its default.
type Options struct {
	MaxLine int           // most bytes of a line, its end not counted; 0 means 8 MiB and 64 KiB
	Grace   time.Duration // most time that calls under way have once the input has ended; 0 means 30 seconds
	Logger  *slog.Logger  // what is refused, and why the session ended; nil discards
}

func (o *Options) withDefaults() Options {
	var out Options
	if o != nil {
		out = *o
	}
	if out.MaxLine == 0 {
		out.MaxLine = 8<<20 + 64<<10
	}
	if out.Grace == 0 {
		out.Grace = 30 * time.Second
	}
	if out.Logger == nil {
		out.Logger = slog.New(slog.DiscardHandler)
	}
	return out
}

// New returns a transport for one session over in and out. The session closes both when it ends.
func New(in io.ReadCloser, out io.WriteCloser, o *Options) mcp.Transport {
	return &transport{in: in, out: out, o: o.withDefaults()}
}

type transport struct {
	in  io.ReadCloser
	out io.WriteCloser
	o   Options
}

func (t *transport) Connect(ctx context.Context) (mcp.Connection, error) {
	return connect(ctx, t.in, t.out, t.o), nil
}

// conn is a session's connection. The SDK calls Read from one goroutine and the rest from any.
type conn struct {
	in  io.ReadCloser
	out io.WriteCloser
	o   Options

	read   chan input  // from the goroutine that reads
	write  chan output // to the goroutine that writes
	closed chan struct{}
	flow   flow

	queue []arrival // of Read alone: what of the last line is still to pass on
	noted int       // of Read alone: errors of the client with the id null

	closeOnce sync.Once
	closeErr  error
}

// output is a line to write. done gets the result and never blocks.
type output struct {
	line []byte
	done chan error
}

// errEnded is what writing gives after the end. The SDK takes what wraps [io.EOF] for an end that is no error.
var errEnded = fmt.Errorf("the output of the MCP session is closed: %w", io.EOF)

func connect(ctx context.Context, in io.ReadCloser, out io.WriteCloser, o Options) *conn {
	c := &conn{in: in, out: out, o: o, read: make(chan input), write: make(chan output), closed: make(chan struct{})}
	c.flow.init()
	go c.readLines()
	go c.writeLines()
	go func() {
		select {
		case <-ctx.Done():
			c.stop()
		case <-c.closed:
		}
	}()
	return c
}

// lastWrite is how long a line that is being written has to get out once the session is to stop.
const lastWrite = time.Second

// stop ends the session though calls may be under way: the SDK would wait for them, and they for a client that does not read.
func (c *conn) stop() {
	late, cancel := context.WithTimeout(context.Background(), lastWrite)
	defer cancel()
	c.flow.wait(late, c.closed, func(f *flow) bool { return f.writers == 0 })
	c.end("the host stopped it", nil)
}

// end closes the connection and says why in the log, once.
func (c *conn) end(reason string, cause error) {
	select {
	case <-c.closed:
		return
	default:
	}
	c.o.Logger.Info("MCP session ends", "reason", reason, "cause", cause)
	if err := c.Close(); err != nil {
		c.o.Logger.Warn("MCP session closed with an error", "reason", err)
	}
}

func (c *conn) SessionID() string { return "" }

// Close may be called at any time and more than once, and does not wait.
func (c *conn) Close() error {
	c.closeOnce.Do(func() {
		close(c.closed)
		for _, f := range []io.Closer{c.in, c.out} {
			if err := f.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
				c.closeErr = errors.Join(c.closeErr, err)
			}
		}
	})
	return c.closeErr
}

// Read returns the next message for the SDK. Its errors end the session: there are none but the end of input and that of the session.
func (c *conn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(c.queue) > 0 {
			next := c.queue[0]
			c.queue[0] = arrival{}
			c.queue = c.queue[1:]
			msg, err := c.admit(ctx, next)
			if msg != nil || err != nil {
				return msg, err
			}
			continue
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		case in := <-c.read:
			if in.err != nil {
				return nil, c.drain(ctx, in.err)
			}
			if err := c.line(ctx, in); err != nil {
				return nil, err
			}
		}
	}
}

// drain waits for the calls under way after the end of input: the SDK drops them as soon as it knows of it.
func (c *conn) drain(ctx context.Context, cause error) error {
	late, cancel := context.WithTimeout(ctx, c.o.Grace)
	defer cancel()
	if !c.flow.wait(late, c.closed, func(f *flow) bool { return f.open == 0 }) {
		c.o.Logger.Warn("calls under way are dropped: the input ended", "calls", c.flow.underWay(), "waited", c.o.Grace)
	}
	if errors.Is(cause, io.EOF) || errors.Is(cause, io.ErrClosedPipe) || errors.Is(cause, os.ErrClosed) {
		return io.EOF
	}
	return fmt.Errorf("input of the MCP session: %w", cause)
}

// line takes a line apart into what is passed on. The error is one of writing an answer to it.
func (c *conn) line(ctx context.Context, in input) error {
	if in.long {
		return c.answer(ctx, nil, &refusal{code: jsonrpc.CodeInvalidRequest, text: fmt.Sprintf("a line is longer than %d bytes: send less in one message", c.o.MaxLine)})
	}
	first, bad := parse(in.line)
	switch {
	case bad != nil:
		return c.answer(ctx, nil, bad)
	case first == '[':
		return c.batch(ctx, in.line)
	}
	c.queue = []arrival{c.arrive(in.line, nil)}
	return nil
}

// arrive checks one message.
func (c *conn) arrive(raw []byte, b *batch) arrival {
	msg, bad := check(raw)
	return arrival{msg: msg, bad: bad, size: len(raw), batch: b}
}

// admit passes a message on, once there is room for it, or answers it and returns nil.
func (c *conn) admit(ctx context.Context, a arrival) (jsonrpc.Message, error) {
	if a.bad == nil {
		switch m := a.msg.(type) {
		case *jsonrpc.Request:
			if a.bad = c.flow.admit(ctx, c.closed, m, a); a.bad == nil {
				select {
				case <-c.closed:
					return nil, io.EOF
				default:
				}
				return m, ctx.Err()
			}
		default:
			return a.msg, nil
		}
	}
	return nil, c.answer(ctx, a.batch, a.bad)
}

// answer writes what is said to a message that is not passed on.
func (c *conn) answer(ctx context.Context, b *batch, bad *refusal) error {
	if bad.silent {
		c.noted++
		c.o.Logger.Warn("the client could not read a message", "error", bad.text)
		return nil
	}
	c.o.Logger.Debug("MCP message refused", "code", bad.code, "reason", bad.text)
	line := bad.line(c.flow.owns)
	if b != nil {
		if line = b.add(line); line == nil {
			return nil
		}
	}
	err := c.send(ctx, line)
	if errors.Is(err, errEnded) {
		return io.EOF
	}
	return err
}

// Write writes a message of the SDK as one line.
func (c *conn) Write(ctx context.Context, msg jsonrpc.Message) error {
	resp, ok := msg.(*jsonrpc.Response)
	if !ok {
		data, err := jsonrpc.EncodeMessage(msg)
		if err != nil { // of this message alone: the code is the SDK's for what does not break the session
			return &jsonrpc.Error{Code: codeRejected, Message: err.Error()}
		}
		return c.send(ctx, data)
	}
	call := c.flow.answered(resp)
	defer c.flow.done(call)
	data := encode(resp)
	if call != nil && call.batch != nil {
		if data = call.batch.add(data); data == nil {
			return nil
		}
	}
	return c.send(ctx, data)
}

// codeRejected tells the SDK that one message could not be sent and that the session goes on.
const codeRejected = -32005

// maxErrorText bounds the message of an error, in bytes: the SDK repeats parameters in it, however long they are.
const maxErrorText = 4 << 10

// encode is the line of a response without its end. What cannot be encoded is answered with an error.
func encode(resp *jsonrpc.Response) []byte {
	if resp.Error != nil && len(resp.Error.Error()) > maxErrorText {
		short := &jsonrpc.Error{Message: cut(resp.Error.Error(), maxErrorText)}
		if wire := (*jsonrpc.Error)(nil); errors.As(resp.Error, &wire) {
			short.Code, short.Data = wire.Code, wire.Data
		}
		resp = &jsonrpc.Response{ID: resp.ID, Error: short}
	}
	data, err := jsonrpc.EncodeMessage(resp)
	if err == nil {
		return data
	}
	return (&refusal{id: rawID(resp.ID), code: jsonrpc.CodeInternalError, text: cut("the answer could not be encoded: "+err.Error(), maxErrorText)}).line(nil)
}

// send writes a line and waits until it is out. A context that ends gives the waiting up, never part of a line.
func (c *conn) send(ctx context.Context, data []byte) error {
	c.flow.writing(1)
	defer c.flow.writing(-1)
	if bytes.IndexByte(data, '\n') >= 0 { // JSON has none but between tokens
		data = bytes.ReplaceAll(data, []byte("\n"), []byte(" "))
	}
	w := output{line: append(data, '\n'), done: make(chan error, 1)}
	select {
	case c.write <- w:
	case <-c.closed:
		return errEnded
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-w.done:
		if err != nil {
			c.end("the output cannot be written", err)
			return errEnded
		}
		return nil
	case <-c.closed:
		return errEnded
	case <-ctx.Done():
		return ctx.Err()
	}
}

// writeLines is the one goroutine that writes. It is apart so that a write that blocks for ever blocks nothing else.
func (c *conn) writeLines() {
	for {
		select {
		case <-c.closed:
			return
		case w := <-c.write:
			_, err := c.out.Write(w.line)
			w.done <- err
		}
	}
}

package attach

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"
)

// ErrNone: no server holds the index.
var ErrNone = errors.New("no server holds the index")

// ErrLost: the server ended, or failed, before the command did.
var ErrLost = errors.New("the server ended before the command did")

// ErrSilent: the server that holds the index does not answer.
var ErrSilent = errors.New("the server that holds the index does not answer")

// A VersionError is a server of another version.
type VersionError struct{ Server, Own string }

func (e *VersionError) Error() string {
	return fmt.Sprintf("the server that holds the index is findspot %s, this is %s: stop it with \"findspot serve stop\"", e.Server, e.Own)
}

// helloTime is how long the other side may take to say what it is.
var helloTime = 5 * time.Second // less in tests

// A Client is a connection to the server of an index, for one request. It is not safe for concurrent use.
type Client struct {
	conn   net.Conn
	server hello
	own    About

	mu sync.Mutex // one frame at a time
}

// Dial connects to the server that holds the index in a folder, an absolute path. The error is [ErrNone] when there is none, or only what one that
// crashed left behind; [ErrSilent] when there is one that does not answer in time.
func Dial(ctx context.Context, index string, own About) (*Client, error) {
	socket, ok := find(index)
	if !ok {
		return nil, ErrNone
	}
	d := net.Dialer{Timeout: helloTime}
	conn, err := d.DialContext(ctx, "unix", socket)
	if err != nil { // refused: nobody listens
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, ErrNone
	}
	c, err := greet(conn, own)
	if err != nil {
		conn.Close()
		return nil, err
	}
	return c, nil
}

// greet says hello.
func greet(conn net.Conn, own About) (*Client, error) {
	if err := friend(conn); err != nil {
		return nil, err
	}
	c := &Client{conn: conn, own: own}
	if err := conn.SetDeadline(time.Now().Add(helloTime)); err != nil {
		return nil, err
	}
	err := writeJSON(conn, kindHello, own.hello())
	if err == nil {
		err = expect(conn, kindHello, &c.server)
	}
	if ne := net.Error(nil); errors.As(err, &ne) && !ne.Timeout() || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) { // it is about to end
		return nil, ErrNone
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSilent, err)
	}
	return c, conn.SetDeadline(time.Time{})
}

func lost(err error) error { return fmt.Errorf("%w: %w", ErrLost, err) }

// PID is the process of the server.
func (c *Client) PID() int { return c.server.PID }

// Fits returns a [VersionError] when the server is of another version.
func (c *Client) Fits() error {
	own := c.own.hello()
	if s := c.server; s.Protocol != own.Protocol || s.Version != own.Version || s.Format != own.Format {
		return &VersionError{c.server.Version, own.Version}
	}
	return nil
}

// Close ends the connection, and with it the command that runs.
func (c *Client) Close() error { return c.conn.Close() }

func (c *Client) write(kind byte, payload []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := c.conn.Write(appendFrame(nil, kind, payload))
	return err
}

// Streams are those of the process that the command was started as.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Run has the server run a command, and returns its exit status. The end of ctx interrupts the command, which still says how it ended. used reports whether something
// of the streams was read or written: when it is false an error leaves the command to be run otherwise.
func (c *Client) Run(ctx context.Context, call *Call, s Streams) (status int, used bool, err error) {
	if err := writeJSON(c.conn, kindStart, call); err != nil {
		return 0, false, lost(err)
	}
	stop := context.AfterFunc(ctx, func() { _ = c.write(kindCancel, nil) }) // when it is lost, the connection is, which is seen below
	defer stop()
	wanted := make(chan int, 1)
	defer close(wanted)
	reading := false
	for {
		kind, payload, err := readFrame(c.conn)
		if err != nil {
			return 0, used, lost(err)
		}
		switch kind {
		case kindOut, kindErr:
			used = true
			w := s.Out
			if kind == kindErr {
				w = s.Err
			}
			a := ack{stream: kind, n: len(payload)}
			if _, err := w.Write(payload); err != nil {
				a.err = err.Error()
			}
			if err := c.write(kindAck, a.payload()); err != nil && a.err == "" {
				continue // what the server wrote before it ended is still to be read
			}
		case kindWant:
			used = true
			n, err := number(payload)
			if err != nil {
				return 0, used, lost(err)
			}
			if !reading {
				reading = true
				go c.feed(s.In, wanted) // it may stay in a read that nobody can end, until the process does
			}
			select {
			case wanted <- n:
			default: // it was told to read already
			}
		case kindExit:
			n, err := number(payload)
			if err != nil {
				return 0, used, lost(err)
			}
			return n, used, nil
		case kindFail:
			return 0, used, lost(errors.New(string(payload)))
		default:
			return 0, used, lost(fmt.Errorf("a frame of kind %q", kind))
		}
	}
}

// feed sends of standard input what the server asks for.
func (c *Client) feed(in io.Reader, wanted <-chan int) {
	for n := range wanted {
		buf := make([]byte, max(1, min(n, maxData)))
		k, err := in.Read(buf)
		if k > 0 || err == nil {
			if c.write(kindIn, buf[:k]) != nil {
				return
			}
		}
		if err != nil {
			text := ""
			if !errors.Is(err, io.EOF) {
				text = err.Error()
			}
			if c.write(kindEnd, []byte(text)) != nil {
				return
			}
		}
	}
}

// Status asks the server for its state, as JSON.
func (c *Client) Status(ctx context.Context) (json.RawMessage, error) { return c.ask(ctx, kindStatus) }

// Stop asks the server to end, and waits until it has.
func (c *Client) Stop(ctx context.Context) error {
	if _, err := c.ask(ctx, kindStop); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { c.conn.Close() })
	defer stop()
	if _, _, err := readFrame(c.conn); err == nil {
		return lost(errors.New("it goes on"))
	}
	return ctx.Err()
}

func (c *Client) ask(ctx context.Context, kind byte) (json.RawMessage, error) {
	stop := context.AfterFunc(ctx, func() { c.conn.Close() })
	defer stop()
	if err := c.write(kind, nil); err != nil {
		return nil, lost(err)
	}
	var out json.RawMessage
	if err := expect(c.conn, kindReply, &out); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, lost(err)
	}
	return out, nil
}

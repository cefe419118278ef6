package attach

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"sync"
)

// errGone: the process whose streams these are ended.
var errGone = errors.New("the process that started this command has ended")

// session is a command that runs for a client.
type session struct {
	conn net.Conn
	ctx  context.Context // of the command; for streams, whose methods have none

	wmu sync.Mutex // one frame at a time; never taken with mu held

	mu     sync.Mutex // guards what follows
	cond   *sync.Cond // something of it changed
	gone   bool       // the client is
	out    [2]flow
	in     []byte // read and not yet taken
	eof    error  // how standard input ended
	closed bool   // nobody reads standard input any more
	want   bool   // the client was asked for input
}

// flow is how much of an output is on its way.
type flow struct {
	sent, acked int64
	err         error // of the client's stream
}

func newSession(ctx context.Context, conn net.Conn) *session {
	s := &session{conn: conn, ctx: ctx}
	s.cond = sync.NewCond(&s.mu)
	return s
}

// wake makes those that wait look again.
func (s *session) wake() {
	s.mu.Lock()
	s.cond.Broadcast()
	s.mu.Unlock()
}

func (s *session) send(kind byte, payload []byte) error {
	s.wmu.Lock()
	defer s.wmu.Unlock()
	_, err := s.conn.Write(appendFrame(make([]byte, 0, headerSize+len(payload)), kind, payload))
	return err
}

// lose ends everything that waits for the client.
func (s *session) lose() {
	s.mu.Lock()
	s.gone = true
	s.cond.Broadcast()
	s.mu.Unlock()
}

// take handles a frame of the client. A frame that does not fit is an error.
func (s *session) take(kind byte, payload []byte, cancel func()) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.cond.Broadcast()
	switch kind {
	case kindCancel:
		cancel()
	case kindIn, kindEnd:
		if !s.want && kind == kindIn {
			return errors.New("standard input that nobody asked for")
		}
		s.want = false
		switch {
		case kind == kindIn:
			s.in = append(s.in, payload...) // of one read: asked for only when all of the last one was taken
		case len(payload) > 0:
			s.eof = errors.New(string(payload))
		default:
			s.eof = io.EOF
		}
	case kindAck:
		a, err := readAck(payload)
		if err != nil {
			return err
		}
		f := &s.out[index(a.stream)]
		if f.acked += int64(a.n); f.acked > f.sent {
			return errors.New("more is acknowledged than was sent")
		}
		if a.err != "" && f.err == nil {
			f.err = errors.New(a.err)
		}
	default:
		return errors.New("a frame that has no place here")
	}
	return nil
}

func index(kind byte) int {
	if kind == kindErr {
		return 1
	}
	return 0
}

// Output is standard output or error of a command in a server.
type Output struct {
	s    *session
	kind byte
	is   Stream
}

// Terminal returns what the client's stream is.
func (o *Output) Terminal() (columns int, ok bool) { return o.is.Columns, o.is.Terminal }

// Write returns when the bytes are on their way; an error of the client's stream is that of a later call, or of Settle.
func (o *Output) Write(p []byte) (n int, err error) {
	for len(p) > 0 {
		part := p[:min(len(p), maxData)]
		if err := o.room(len(part)); err != nil {
			return n, err
		}
		if err := o.s.send(o.kind, part); err != nil {
			o.s.lose()
			return n, errGone
		}
		n, p = n+len(part), p[len(part):]
	}
	return n, nil
}

// room waits until so many bytes may be sent, and counts them.
func (o *Output) room(n int) error {
	s := o.s
	s.mu.Lock()
	defer s.mu.Unlock()
	f := &s.out[index(o.kind)]
	for {
		switch {
		case f.err != nil:
			return f.err
		case s.gone:
			return errGone
		case f.sent-f.acked+int64(n) <= window:
			f.sent += int64(n)
			return nil
		}
		s.cond.Wait()
	}
}

// Settle waits until all that was written has arrived, and returns the error of the client's stream.
func (o *Output) Settle() error {
	s := o.s
	s.mu.Lock()
	defer s.mu.Unlock()
	f := &s.out[index(o.kind)]
	for {
		switch {
		case f.err != nil:
			return f.err
		case f.sent == f.acked:
			return nil
		case s.gone:
			return errGone
		}
		s.cond.Wait()
	}
}

// Input is standard input of a command in a server. The client reads what the command wants, and no more.
type Input struct {
	s  *session
	is Stream
}

// Terminal returns what the client's stream is.
func (i *Input) Terminal() (columns int, ok bool) { return i.is.Columns, i.is.Terminal }

// Close wakes who reads; there is no more to read then.
func (i *Input) Close() error {
	i.s.mu.Lock()
	defer i.s.mu.Unlock()
	i.s.closed = true
	i.s.cond.Broadcast()
	return nil
}

// Read waits for the client, or for the end of the command.
func (i *Input) Read(p []byte) (int, error) {
	s := i.s
	stop := context.AfterFunc(s.ctx, s.wake)
	defer stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		switch {
		case s.closed:
			return 0, os.ErrClosed
		case len(p) == 0:
			return 0, nil
		case len(s.in) > 0:
			n := copy(p, s.in)
			s.in = s.in[n:]
			return n, nil
		case s.eof != nil:
			err := s.eof
			s.eof = nil // a terminal goes on after Ctrl-D
			return 0, err
		case s.gone:
			return 0, errGone
		case s.ctx.Err() != nil:
			return 0, s.ctx.Err()
		case !s.want:
			s.want = true
			s.mu.Unlock()
			err := s.send(kindWant, appendNumber(nil, min(len(p), maxData)))
			s.mu.Lock()
			if err != nil {
				s.gone = true
			}
			continue
		}
		s.cond.Wait()
	}
}

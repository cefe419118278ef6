package jsonrpc

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// peer is the other end of a connection.
type peer struct {
	t    *testing.T
	in   *bufio.Reader
	out  io.WriteCloser
	conn *Conn
}

func newPeer(t *testing.T, serve func(string, json.RawMessage) (any, *ResponseError)) *peer {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	if serve == nil {
		serve = func(string, json.RawMessage) (any, *ResponseError) { return nil, nil }
	}
	return &peer{t: t, in: bufio.NewReader(inR), out: outW, conn: NewConn(outR, inW, serve, nil)}
}

func (p *peer) end() {
	p.conn.Close(errors.New("the test is over"))
	p.out.Close()
	p.conn.Wait()
}

func (p *peer) read() Message {
	p.t.Helper()
	body, err := ReadFrame(p.in)
	if err != nil {
		p.t.Fatal(err)
	}
	var m Message
	if err := json.Unmarshal(body, &m); err != nil {
		p.t.Fatal(err)
	}
	return m
}

func (p *peer) write(body string) {
	if _, err := p.out.Write(Frame([]byte(body))); err != nil {
		p.t.Error(err)
	}
}

// TestCancelWaits: the cancellation follows its request by 100 ms, and not at all when the answer came before.
func TestCancelWaits(t *testing.T) {
	for _, after := range []time.Duration{0, 30 * time.Millisecond, 100 * time.Millisecond, 5 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			p := newPeer(t, nil)
			defer p.end()
			ctx, cancel := context.WithCancel(t.Context())
			failed := make(chan error, 1)
			go func() { failed <- p.conn.Call(ctx, "slow", nil, nil) }()
			request := p.read()
			sent := time.Now()
			synctest.Wait()
			time.Sleep(after)
			cancel()
			if err := <-failed; !errors.Is(err, context.Canceled) {
				t.Fatalf("call: %v, want canceled", err)
			}
			if took := time.Since(sent); took != after {
				t.Errorf("the call returned after %v, want %v", took, after)
			}
			m := p.read()
			if m.Method != "$/cancelRequest" || string(m.Params) != `{"id":`+string(request.ID)+`}` {
				t.Errorf("after the request came %s %s, want its cancellation", m.Method, m.Params)
			}
			if took, want := time.Since(sent), max(after, cancelAfter); took != want {
				t.Errorf("cancelled %v after the request, want %v", took, want)
			}
		})
	}
}

// TestSeenInOrder: what an answer means is noted before the message that the server wrote next is looked at, whenever the
// caller comes to run.
func TestSeenInOrder(t *testing.T) {
	var order []string // of the reading goroutine
	p := newPeer(t, func(method string, _ json.RawMessage) (any, *ResponseError) {
		order = append(order, method)
		return nil, nil
	})
	var want []string
	for range 20 {
		done := make(chan error, 1)
		go func() {
			_, err := p.conn.Send(t.Context(), "m", nil, RequestOptions{Seen: func() { order = append(order, "answer") }})
			done <- err
		}()
		id := string(p.read().ID)
		body := slices.Concat(Frame([]byte(`{"method":"before"}`)), Frame([]byte(`{"id":`+id+`,"result":null}`)), Frame([]byte(`{"method":"after"}`)))
		if _, err := p.out.Write(body); err != nil {
			t.Fatal(err)
		}
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		want = append(want, "before", "answer", "after")
	}
	go func() {
		id := string(p.read().ID)
		p.write(`{"id":` + id + `,"error":{"code":1,"message":"no"}}`)
	}()
	if _, err := p.conn.Send(t.Context(), "m", nil, RequestOptions{Seen: func() { order = append(order, "an error") }}); err == nil {
		t.Error("no error")
	}
	p.end()
	if !slices.Equal(order, want) {
		t.Errorf("order %v, want %v", order, want)
	}
}

// TestCancelOldest: a request behind one that is being worked on is not cancelled before that one is answered.
func TestCancelOldest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPeer(t, nil)
		defer p.end()
		first := make(chan error, 1)
		go func() { first <- p.conn.Call(t.Context(), "first", nil, nil) }()
		one := p.read()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		second := make(chan error, 1)
		go func() { second <- p.conn.Call(ctx, "second", nil, nil) }()
		two := p.read()
		if err := <-second; !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("second: %v, want the deadline", err)
		}
		came := make(chan Message, 1)
		go func() { came <- p.read() }()
		time.Sleep(10 * time.Second)
		select {
		case m := <-came:
			t.Errorf("%s %s came while the first request is under way", m.Method, m.Params)
			return
		default:
		}
		p.write(`{"jsonrpc":"2.0","id":` + string(one.ID) + `,"result":null}`)
		if err := <-first; err != nil {
			t.Error(err)
		}
		if m := <-came; m.Method != "$/cancelRequest" || string(m.Params) != `{"id":`+string(two.ID)+`}` {
			t.Errorf("after the answer came %s %s, want the cancellation of the second", m.Method, m.Params)
		}
	})
}

// TestNoCancelBeforeSending: a call given up while its request is still in the queue leaves no trace.
func TestNoCancelBeforeSending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPeer(t, nil)
		defer p.end()
		if err := p.conn.Notify(t.Context(), "blocks", nil); err != nil { // nobody reads: the writer waits here
			t.Fatal(err)
		}
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := p.conn.Call(ctx, "queued", nil, nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("call: %v, want the deadline", err)
		}
		time.Sleep(time.Second)
		if err := p.conn.Notify(t.Context(), "last", nil); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"blocks", "last"} {
			if m := p.read(); m.Method != want {
				t.Errorf("read %q, want %q", m.Method, want)
			}
		}
	})
}

// TestAnswers: late, second and foreign answers are dropped; each call gets its own.
func TestAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPeer(t, nil)
		defer p.end()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var script sync.WaitGroup
		defer script.Wait()
		script.Go(func() {
			first := p.read()
			p.read() // its cancellation
			second := p.read()
			for _, body := range []string{
				`{"id":` + string(first.ID) + `,"result":"late"}`,
				`{"id":77,"result":"foreign"}`,
				`{"id":"x","result":"foreign"}`,
				`{"method":"telemetry/event","params":1}`,
				`{"id":` + string(second.ID) + `,"result":"right"}`,
				`{"id":` + string(second.ID) + `,"result":"second"}`,
				`{}`,
			} {
				p.write(body)
			}
		})
		if err := p.conn.Call(ctx, "one", nil, nil); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("first call: %v, want the deadline", err)
		}
		time.Sleep(time.Second)
		raw, err := p.conn.RoundTrip(t.Context(), "two", nil)
		if err != nil || string(raw) != `"right"` {
			t.Errorf("second call: %s, %v, want \"right\"", raw, err)
		}
	})
}

// TestReplyFlood: a server that asks without reading the answers is given up, and nothing waits for it.
func TestReplyFlood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPeer(t, nil)
		defer p.end()
		body := Frame([]byte(`{"id":1,"method":"workspace/workspaceFolders"}`))
		go func() {
			for {
				if _, err := p.out.Write(body); err != nil {
					return
				}
			}
		}()
		<-p.conn.Done
		err := p.conn.Call(t.Context(), "x", nil, nil)
		if !IsEnded(err) || !strings.Contains(err.Error(), "does not read") {
			t.Errorf("call: %v, want a dead connection", err)
		}
	})
}

// TestPeerGone: calls under way end when the stream does.
func TestPeerGone(t *testing.T) {
	for name, write := range map[string]func(*peer){
		"the server ended":  func(p *peer) { p.out.Close() },
		`"panic: oh"`:       func(p *peer) { p.out.Write([]byte(strings.Repeat("panic: oh\n\n", maxNoise))) },
		"not JSON-RPC":      func(p *peer) { p.write(`[1`) },
		"too large":         func(p *peer) { p.out.Write([]byte("Content-Length: 999999999\r\n\r\n")) },
		"ends inside a mes": func(p *peer) { p.out.Write([]byte("Content-Length: 9\r\n\r\n{")); p.out.Close() },
	} {
		synctest.Test(t, func(t *testing.T) {
			p := newPeer(t, nil)
			defer p.end()
			go func() {
				p.read()
				write(p)
			}()
			err := p.conn.Call(t.Context(), "x", nil, nil)
			if !IsEnded(err) || !strings.Contains(err.Error(), strings.TrimSuffix(name, " mes")) {
				t.Errorf("%s: call: %v", name, err)
			}
		})
	}
}

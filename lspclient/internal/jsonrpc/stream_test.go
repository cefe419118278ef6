package jsonrpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestNoise: messages are found among other output, which is told.
func TestNoise(t *testing.T) {
	one := "Content-Length: 2\r\n\r\n{}"
	for in, want := range map[string][]string{
		one + one:                                        {"{}", "{}"},
		"hello\n" + one:                                  {"{}", "stdout: hello\n"},
		one + "warning: x\n\r\n" + one:                   {"{}", "{}", "stdout: warning: x\n"},
		one + "no end" + one:                             {"{}", "{}", "stdout: no end"},
		"Content-Length: words\n" + one:                  nil,
		"I say Content-Length: no\n" + one:               {"{}", "stdout: I say Content-Length: no\n"},
		"\xcb\xcb\xcb" + one:                             {"{}", "stdout: \xcb\xcb\xcb"},
		"İ \xff" + one:                                   {"{}", "stdout: İ \xff"},
		"content-type: x\r\ncontent-LENGTH:2 \r\n\r\n{}": {"{}"},
		"X-First: 1\r\n" + one:                           {"{}", "stdout: X-First: 1\r\n"},
	} {
		var got, told []string
		r := newFrameReader(strings.NewReader(in))
		r.noise = func(s string) { told = append(told, s) }
		for {
			body, err := r.next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				got, told = nil, nil
				break
			}
			got = append(got, string(body))
		}
		if diff := cmp.Diff(want, append(got, told...)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", in, diff)
		}
	}
}

// FuzzStream: whatever a server writes, the connection neither panics nor hangs, and has ended when the stream has.
func FuzzStream(f *testing.F) {
	for _, body := range []string{
		`{"id":1,"result":[]}`, `{"id":1}`, `[{"id":1,"result":null},{"method":"x"}]`, `{"id":7,"method":"workspace/configuration","params":{"items":[{}]}}`,
		`{"method":"$/progress","params":{"token":1,"value":{"kind":"begin"}}}`, `{"id":"1","error":"e"}`, `{"id":1,"result":`, `null`, `[`, `{"id":{},"method":"m"}`,
	} {
		f.Add(Frame([]byte(body)))
		f.Add(append([]byte("noise"), append(Frame([]byte(body)), Frame([]byte(body))...)...))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		c := NewConn(bytes.NewReader(in), discard{}, func(string, json.RawMessage) (any, *ResponseError) { return nil, nil }, func(string) {})
		_, err := c.RoundTrip(t.Context(), "m", nil)
		ended := make(chan struct{})
		go func() { c.Wait(); close(ended) }()
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			t.Fatal("the connection does not end")
		}
		if c.Failure() == nil {
			t.Error("the stream ended, and the connection did not")
		}
		_ = err // an answer that happened to be there, or an error
	})
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) Close() error                { return nil }

// TestOutbox: bounds, order, and what is taken out again.
func TestOutbox(t *testing.T) {
	q := newOutbox()
	big := &outgoing{Data: make([]byte, queueBytes+1)}
	if _, ok := q.offer(big); !ok {
		t.Error("one message of any size has a place")
	}
	if _, ok := q.offer(&outgoing{Data: []byte("x")}); ok {
		t.Error("there is room behind a message that fills the queue")
	}
	if _, ok := q.offer(&outgoing{Data: []byte("x"), reply: true}); !ok {
		t.Error("an answer has no place beside our own messages")
	}
	if !q.remove(big) || q.remove(big) {
		t.Error("a message can be removed once")
	}
	var sent []*outgoing
	for {
		out := &outgoing{Data: []byte("x")}
		if _, ok := q.offer(out); !ok {
			break
		}
		sent = append(sent, out)
	}
	if len(sent) != queueSize {
		t.Errorf("%d messages had a place, want %d", len(sent), queueSize)
	}
	q.take() // the answer
	for i, want := range sent {
		if got := q.take(); got != want {
			t.Fatalf("message %d is another one", i)
		}
	}
	if q.take() != nil || q.bytes != 0 || q.replies != 0 {
		t.Errorf("an empty queue has %d bytes, %d answers", q.bytes, q.replies)
	}
}

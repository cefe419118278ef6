package httpguard

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// dial opens a connection that ends with the test, and sends something.
func dial(t *testing.T, addr, send string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(time.Minute))
	if _, err := io.WriteString(c, send); err != nil {
		t.Fatal(err)
	}
	return c
}

const (
	jsonHead = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n"
	pdfHead  = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/pdf\r\nContent-Length: 1000000\r\n\r\n"
)

// patient is a server that waits for ever, so that nobody is put out for being slow.
func patient(s *Guard) { s.pace.grace = time.Hour }

// large is an answer that no socket keeps for a client that does not take it.
var large = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/large" {
		w.Write(make([]byte, 32<<20))
		return
	}
	ok(w, r)
})

// TestSlowHoldNoPlace: neither a body that does not come nor an answer that is not taken holds one of the places.
func TestSlowHoldNoPlace(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	addr := listen(t, large, &Options{Calls: 1}, patient)
	for range 3 {
		dial(t, addr, jsonHead)
		c := dial(t, addr, "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
		if _, err := c.Read(make([]byte, 1)); err != nil { // it is being sent
			t.Fatal(err)
		}
	}
	if code := get(t, addr); code != 200 {
		t.Errorf("%d", code)
	}
}

// TestSlowDropped: a body that comes too slowly is told so, and who takes an answer too slowly loses the connection.
func TestSlowDropped(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	addr := listen(t, large, nil, func(s *Guard) { s.pace = pace{grace: 300 * time.Millisecond, rate: 1 << 30} })
	line, err := bufio.NewReader(dial(t, addr, jsonHead+"{")).ReadString('\n')
	if !strings.Contains(line, " 408 ") {
		t.Errorf("a slow body: %q, %v", line, err)
	}
	c := dial(t, addr, "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
	n := int64(0)
	for err = nil; err == nil; time.Sleep(20 * time.Millisecond) {
		var k int64
		k, err = io.CopyN(io.Discard, c, 64<<10)
		n += k
	}
	if n >= 32<<20 {
		t.Errorf("the whole answer came: %d", n)
	}
}

// TestFull: when there are too many connections that are active, or too much lies on disk, those that the server waited for longest are put out.
func TestFull(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for name, slow := range map[string]string{"bodies": jsonHead, "answers": "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n", "uploads": pdfHead + strings.Repeat("a", 200<<10)} {
		t.Run(name, func(t *testing.T) {
			var clients *clients
			// As in the defaults there are fewer places, and places to wait, than connections: what is worked on is not put out.
			addr := listen(t, large, &Options{Route: uploads, Calls: 2, Waiting: 2}, func(s *Guard) {
				patient(s)
				s.clients.conns = 8
				if name == "uploads" {
					s.clients.conns, s.clients.disk = 100, 1<<20
				}
				clients = s.clients
			})
			first := dial(t, addr, slow)
			waited := func() bool { // it is the first to be waited for, with what it has on disk
				clients.mu.Lock()
				defer clients.mu.Unlock()
				for _, c := range clients.all {
					return !c.wait.IsZero() && (name == "bodies" || c.used > 0)
				}
				return false
			}
			for until := time.Now().Add(time.Minute); !waited(); time.Sleep(time.Millisecond) {
				if time.Now().After(until) {
					t.Fatal("the first is not waited for")
				}
			}
			time.Sleep(50 * time.Millisecond) // headers count when they have been read
			for range 20 {
				dial(t, addr, slow)
			}
			// On a busy machine a crowd that comes at once can put out a good client too, which asks again.
			good := func(what string, ask func() (*http.Response, error)) {
				for until := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
					res, err := ask()
					if err == nil {
						res.Body.Close()
						if res.StatusCode == 200 {
							return
						}
						err = errors.New(res.Status)
					}
					if time.Now().After(until) {
						t.Errorf("%s: %v", what, err)
						return
					}
				}
			}
			good("a question", func() (*http.Response, error) { return http.Get("http://" + addr) })
			good("an upload", func() (*http.Response, error) {
				return http.Post("http://"+addr, "application/pdf", bytes.NewReader(make([]byte, 900_000)))
			})
			if _, err := io.Copy(io.Discard, first); errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("the first is there still: %v", err)
			}
		})
	}
}

// TestUploadsHoldNoPlace: uploads that are worked on keep no question waiting.
func TestUploadsHoldNoPlace(t *testing.T) {
	block := make(chan struct{})
	defer close(block)
	addr := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "POST" {
			<-block
		}
	}), &Options{Calls: 1, Adding: 1, Route: uploads}, nil)
	for range 3 {
		dial(t, addr, strings.Replace(pdfHead, "1000000", "1", 1)+"x")
	}
	if code := get(t, addr); code != 200 {
		t.Errorf("%d", code)
	}
}

// TestServeWaits: a handler that still runs after the grace is told, and waited for; one that does not end is reported.
func TestServeWaits(t *testing.T) {
	stuck := make(chan struct{})
	defer close(stuck)
	for _, ends := range []bool{true, false} {
		ln, err := Listen("127.0.0.1:0", nil)
		if err != nil {
			t.Fatal(err)
		}
		var ended atomic.Bool
		began := make(chan struct{})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			done <- Serve(ctx, ln, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				close(began)
				<-r.Context().Done()
				if !ends {
					<-stuck
				}
				time.Sleep(100 * time.Millisecond) // cleaning up
				ended.Store(true)
			}), &Options{Grace: 200 * time.Millisecond})
		}()
		// A second request waits behind the first, so that the server does not see its client go.
		dial(t, ln.Addr().String(), strings.Repeat("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", 2))
		<-began
		cancel()
		if err := <-done; (err == nil) != ends || ended.Load() != ends {
			t.Errorf("ends %v: Serve = %v, the handler has ended: %v", ends, err, ended.Load())
		}
	}
}

// TestInside: an error that is not meant for the client is in the log, and its number in the answer.
func TestInside(t *testing.T) {
	var log bytes.Buffer
	for path, h := range map[string]func(w http.ResponseWriter){
		"error": func(w http.ResponseWriter) {
			Fail(w, slog.New(slog.NewTextHandler(&log, nil)), errors.New("open /home/a/b"))
		},
		"panic":  func(http.ResponseWriter) { panic("open /home/a/b") },
		"answer": func(w http.ResponseWriter) { w.Write(make([]byte, maxAnswer+1)) },
	} {
		log.Reset()
		addr := listen(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { h(w) }), &Options{Logger: slog.New(slog.NewTextHandler(&log, nil))}, nil)
		res, err := http.Get("http://" + addr)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil || res.StatusCode != http.StatusInternalServerError || bytes.Contains(text, []byte("/home")) {
			t.Errorf("%s: %d %s, %v", path, res.StatusCode, text, err)
		}
		_, id, _ := strings.Cut(string(text), "under ")
		if id = strings.TrimRight(id, "\"}\n"); len(id) < 10 || !strings.Contains(log.String(), id) || path != "answer" && !strings.Contains(log.String(), "/home/a/b") {
			t.Errorf("%s: id %q, log %s", path, id, log.String())
		}
	}
}

package httpguard

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// h2c is a client that speaks HTTP/2 without TLS.
func h2c(t *testing.T) *http.Client {
	var p http.Protocols
	p.SetUnencryptedHTTP2(true)
	tr := &http.Transport{Protocols: &p}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr}
}

func h1(t *testing.T) *http.Client {
	tr := &http.Transport{}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr}
}

// overTLS is a client that trusts any certificate and asks for HTTP/2.
func overTLS(t *testing.T) *http.Client {
	tr := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr}
}

// certificate is one of the test server of the standard library.
func certificate() *tls.Config {
	s := httptest.NewUnstartedServer(nil)
	s.StartTLS()
	defer s.Close()
	return &tls.Config{Certificates: s.TLS.Certificates}
}

func liveRoute(r *http.Request) Route { return Route{Name: "live", Live: true} }

// ticks writes a line now and one each time that next gives, until the request ends.
func ticks(next <-chan struct{}, ended chan<- error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		for i := 0; ; i++ {
			fmt.Fprintf(w, "%s %d\n", body, i)
			if err := http.NewResponseController(w).Flush(); err != nil {
				ended <- err
				return
			}
			select {
			case <-next:
			case <-r.Context().Done():
				ended <- context.Cause(r.Context())
				return
			}
		}
	})
}

// TestStream: lines come as they are written, over every protocol, and also after more time than a write may take; who leaves ends the handler.
func TestStream(t *testing.T) {
	for _, tt := range []struct {
		name   string
		client func(*testing.T) *http.Client
		tls    bool
		proto  int
	}{{"HTTP/1.1", h1, false, 1}, {"HTTP/2 without TLS", h2c, false, 2}, {"HTTP/2 over TLS", overTLS, true, 2}} {
		t.Run(tt.name, func(t *testing.T) {
			next, ended := make(chan struct{}), make(chan error, 1)
			o, scheme := &Options{Route: liveRoute}, "http"
			if tt.tls {
				o.TLS, scheme = certificate(), "https"
			}
			addr := listen(t, ticks(next, ended), o, func(g *Guard) { g.pace.grace = 200 * time.Millisecond })
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			req, err := http.NewRequestWithContext(ctx, "POST", scheme+"://"+addr, strings.NewReader(`{}`))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", "application/json")
			res, err := tt.client(t).Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			if res.ProtoMajor != tt.proto {
				t.Errorf("it speaks %s", res.Proto)
			}
			lines := bufio.NewReader(res.Body)
			for i := range 4 {
				if line, err := lines.ReadString('\n'); line != fmt.Sprintf("{} %d\n", i) {
					t.Fatalf("line %d: %q, %v", i, line, err)
				}
				if i == 1 {
					time.Sleep(3 * 200 * time.Millisecond)
				}
				if i < 3 {
					next <- struct{}{}
				}
			}
			leave()
			if err := <-ended; err == nil {
				t.Error("the handler did not end by the client's leaving")
			}
		})
	}
}

// TestStreamSlow: who takes a stream too slowly loses it, and a stream that is taken well goes on for longer than the grace.
func TestStreamSlow(t *testing.T) {
	ended := make(chan error, 2)
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var err error
		for i := 0; i < 256 && err == nil; i++ {
			_, err = w.Write(make([]byte, 256<<10))
		}
		ended <- errors.Join(err, r.Context().Err())
	})
	for name, client := range map[string]func(*testing.T) *http.Client{"HTTP/1.1": h1, "HTTP/2": h2c} {
		t.Run(name, func(t *testing.T) {
			addr := listen(t, h, &Options{Route: liveRoute}, func(g *Guard) { g.pace = pace{grace: 300 * time.Millisecond, rate: 1 << 20} })
			res, err := client(t).Get("http://" + addr)
			if err != nil {
				t.Fatal(err)
			}
			if n, err := io.Copy(io.Discard, res.Body); n != 64<<20 || err != nil {
				t.Errorf("who takes it has %d bytes, %v", n, err)
			}
			res.Body.Close()
			if err := <-ended; err != nil {
				t.Errorf("the handler: %v", err)
			}
			if res, err = client(t).Get("http://" + addr); err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			select {
			case err := <-ended:
				if err == nil {
					t.Error("the whole was written to who does not take it")
				}
			case <-time.After(30 * time.Second):
				t.Fatal("who takes nothing holds the handler")
			}
		})
	}
}

// TestStreamSteady: a stream that is taken just fast enough, with pauses of the handler, is not cut.
func TestStreamSteady(t *testing.T) {
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for range 30 {
			w.Write([]byte("an event\n"))
			if http.NewResponseController(w).Flush() != nil {
				return
			}
			time.Sleep(30 * time.Millisecond)
		}
	})
	addr := listen(t, h, &Options{Route: liveRoute}, func(g *Guard) { g.pace.grace = 100 * time.Millisecond })
	res, err := h1(t).Get("http://" + addr)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if text, err := io.ReadAll(res.Body); len(text) != 30*9 || err != nil {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}

// TestStreamPlaces: a client has so many streams and no more, and all have so many; one that was silent for long gives its place up; calls have their own.
func TestStreamPlaces(t *testing.T) {
	ended := make(chan error, 10)
	route := func(r *http.Request) Route { return Route{Live: r.URL.Path == "/live"} }
	h := http.NewServeMux()
	h.Handle("/live", ticks(nil, ended))
	h.Handle("/", ok)
	var g *Guard
	addr := listen(t, h, &Options{Route: route, Streams: 3, ClientStreams: 2}, func(v *Guard) { g = v; v.streams.quiet = time.Hour })
	one, two, three := h2c(t), h2c(t), h2c(t)
	open := func(c *http.Client) int {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		t.Cleanup(cancel)
		req, err := http.NewRequestWithContext(ctx, "GET", "http://"+addr+"/live", nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := c.Do(req)
		if err != nil {
			t.Error(err)
			return 0
		}
		t.Cleanup(func() { res.Body.Close() })
		if res.StatusCode == 200 {
			if _, err := bufio.NewReader(res.Body).ReadString('\n'); err != nil {
				t.Error(err)
			}
		}
		return res.StatusCode
	}
	for i, c := range []*http.Client{one, one, two} {
		if code := open(c); code != 200 {
			t.Fatalf("stream %d: %d", i, code)
		}
	}
	if code := open(three); code != http.StatusServiceUnavailable {
		t.Errorf("one more than all may have: %d", code)
	}
	if code := get(t, addr); code != 200 {
		t.Errorf("a call beside the streams: %d", code)
	}
	g.streams.mu.Lock()
	g.streams.quiet = 0
	g.streams.mu.Unlock()
	if code := open(three); code != 200 {
		t.Errorf("where one is silent for long: %d", code)
	}
	if err := <-ended; !errors.Is(err, errCrowded) {
		t.Errorf("the silent one ended by %v", err)
	}
}

// TestStreamsCrowd: a crowd that takes its answers slowly puts out its own, and keeps nobody out.
func TestStreamsCrowd(t *testing.T) {
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/large" {
			w.Write(make([]byte, 32<<20))
			return
		}
		ok(w, r)
	})
	addr := listen(t, h, &Options{Route: liveRoute, Streams: 8}, patient)
	for range 30 {
		dial(t, addr, "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
	}
	c := h2c(t)
	for range 3 { // streams of one connection of HTTP/2 are kicked as well
		res, err := c.Get("http://" + addr + "/large")
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
	}
	good := 0
	for end := time.Now().Add(20 * time.Second); good < 5 && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if get(t, addr) == 200 {
			good++
		}
	}
	if good < 5 {
		t.Errorf("%d of a good client's requests were answered", good)
	}
}

// TestStreamsOfClient: a server in which the guard is mounted tells clients of the network by their address.
func TestStreamsOfClient(t *testing.T) {
	ss := &streams{all: 10, each: 1, quiet: time.Hour, open: map[*stream]bool{}}
	enter := func(remote string) error {
		_, err := ss.enter(owner(&http.Request{RemoteAddr: remote}), func(error) {}, func() {})
		return err
	}
	for remote, good := range map[string]bool{"10.0.0.1:1": true, "127.0.0.1:5": true, "[2001:db8::1]:5": true} {
		if err := enter(remote); (err == nil) != good {
			t.Errorf("%s: %v", remote, err)
		}
	}
	if enter("10.0.0.1:2") == nil || enter("[2001:db8::1]:6") == nil {
		t.Error("another port gives another place")
	}
	if err := enter("127.0.0.1:6"); err != nil {
		t.Errorf("another connection of this machine: %v", err)
	}
}

// TestDuplex: both sides pass, the body is bounded, and who is silent is freed.
func TestDuplex(t *testing.T) {
	ended := make(chan error, 1)
	echo := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.NewResponseController(w).Flush()
		lines := bufio.NewReader(r.Body)
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				ended <- err
				return
			}
			io.WriteString(w, line)
			http.NewResponseController(w).Flush()
		}
	})
	route := func(*http.Request) Route { return Route{Duplex: true, MaxBody: 1000} }
	for name, client := range map[string]func(*testing.T) *http.Client{"HTTP/1.1": h1, "HTTP/2": h2c} {
		t.Run(name, func(t *testing.T) {
			addr := listen(t, echo, &Options{Route: route}, func(g *Guard) { g.silence = 500 * time.Millisecond })
			ask := func() (io.WriteCloser, *bufio.Reader) {
				in, out := io.Pipe()
				t.Cleanup(func() { out.Close() })
				req, err := http.NewRequestWithContext(t.Context(), "POST", "http://"+addr, in)
				if err != nil {
					t.Fatal(err)
				}
				req.Header.Set("Content-Type", "application/json")
				res, err := client(t).Do(req)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { res.Body.Close() })
				return out, bufio.NewReader(res.Body)
			}
			in, out := ask()
			for i := range 5 {
				fmt.Fprintf(in, "%d\n", i)
				if line, err := out.ReadString('\n'); line != fmt.Sprintf("%d\n", i) {
					t.Fatalf("%q, %v", line, err)
				}
				time.Sleep(200 * time.Millisecond)
			}
			in.Close()
			if err := <-ended; err != io.EOF {
				t.Errorf("the end of the body: %v", err)
			}
			in, _ = ask()
			go in.Write(bytes.Repeat([]byte("x"), 2000))
			if err, large := <-ended, (*http.MaxBytesError)(nil); !errors.As(err, &large) {
				t.Errorf("more than the limit: %v", err)
			}
			ask()
			select {
			case err := <-ended:
				if err == nil || err == io.EOF {
					t.Errorf("silence: %v", err)
				}
			case <-time.After(20 * time.Second):
				t.Fatal("who is silent holds the handler")
			}
		})
	}
}

// TestStreamEnds: when the server stops, streams are told after their grace, and are waited for.
func TestStreamEnds(t *testing.T) {
	for name, client := range map[string]func(*testing.T) *http.Client{"HTTP/1.1": h1, "HTTP/2": h2c} {
		t.Run(name, func(t *testing.T) {
			ended := make(chan error, 1)
			ln, err := Listen("127.0.0.1:0", nil)
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() {
				done <- Serve(ctx, ln, ticks(nil, ended), &Options{Route: liveRoute, StreamGrace: 300 * time.Millisecond})
			}()
			res, err := client(t).Get("http://" + ln.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			began := time.Now()
			stop()
			if err := <-done; err != nil {
				t.Errorf("Serve = %v", err)
			}
			if d := time.Since(began); d < 300*time.Millisecond || d > 5*time.Second {
				t.Errorf("it took %s", d)
			}
			select {
			case err := <-ended:
				if !errors.Is(err, errStopped) {
					t.Errorf("the stream ended by %v", err)
				}
			default:
				t.Error("the stream was not waited for")
			}
		})
	}
}

// TestStreamFaults: an error before the answer is one, a panic in the middle ends the connection, and places are given back.
func TestStreamFaults(t *testing.T) {
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/middle" {
			io.WriteString(w, "the beginning")
			http.NewResponseController(w).Flush()
		}
		panic("x")
	})
	addr := listen(t, h, &Options{Route: liveRoute, Streams: 1}, nil)
	for _, c := range []*http.Client{h1(t), h2c(t)} {
		for range 3 {
			res, err := c.Get("http://" + addr + "/")
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(res.Body)
			res.Body.Close()
			if res.StatusCode != 500 || !bytes.Contains(text, []byte("error inside")) || err != nil {
				t.Errorf("%d %s %v", res.StatusCode, text, err)
			}
			if res, err = c.Get("http://" + addr + "/middle"); err != nil {
				t.Fatal(err)
			}
			text, err = io.ReadAll(res.Body)
			res.Body.Close()
			if err == nil {
				t.Errorf("%s, and no error", text)
			}
		}
	}
}

// TestFlood: a client that opens streams of HTTP/2 and resets them at once keeps nobody out.
func TestFlood(t *testing.T) {
	addr := listen(t, ok, &Options{Route: liveRoute}, nil)
	c := h2c(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				ctx, cancel := context.WithCancel(t.Context())
				req, err := http.NewRequestWithContext(ctx, "GET", "http://"+addr, nil)
				if err != nil {
					t.Error(err)
				}
				time.AfterFunc(time.Millisecond/2, cancel)
				if res, err := c.Do(req); err == nil {
					res.Body.Close()
				}
				cancel()
			}
		})
	}
	for range 20 {
		if code := get(t, addr); code != 200 {
			t.Errorf("%d", code)
		}
	}
	wg.Wait()
}

// TestMounted: a guard in a server of somebody else's keeps the rules, and answers no other machine without a token.
func TestMounted(t *testing.T) {
	g := New(ok, &Options{Route: func(r *http.Request) Route { return Route{Live: r.URL.Path == "/live"} }})
	srv := httptest.NewServer(g)
	defer srv.Close()
	for path, host := range map[string]string{"/": "evil.example", "/live": "evil.example"} {
		req, err := http.NewRequestWithContext(t.Context(), "GET", srv.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []int{200, http.StatusMisdirectedRequest} {
			res, err := srv.Client().Do(req)
			if err != nil {
				t.Fatal(err)
			}
			res.Body.Close()
			if res.StatusCode != want {
				t.Errorf("%s for %q: %d, want %d", path, req.Host, res.StatusCode, want)
			}
			req.Host = host
		}
	}
	if err := g.Close(); err != nil {
		t.Error(err)
	}
	if err := g.Close(); err != nil {
		t.Error(err)
	}
	for _, path := range []string{"/", "/live"} {
		res, err := srv.Client().Get(srv.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("%s after the end: %d", path, res.StatusCode)
		}
	}
}

// TestPublic: what tells nothing of the user's files needs no token, and is refused to other sites all the same.
func TestPublic(t *testing.T) {
	addr := listen(t, ok, &Options{Token: "0123456789abcdef", Route: func(r *http.Request) Route { return Route{Public: r.URL.Path == "/"} }}, nil)
	if code := get(t, addr); code != 200 {
		t.Errorf("%d", code)
	}
	if code := get(t, addr+"/x"); code != 401 {
		t.Errorf("another: %d", code)
	}
	line, err := bufio.NewReader(dial(t, addr, "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n")).ReadString('\n')
	if !strings.Contains(line, " 421 ") {
		t.Errorf("another host: %q, %v", line, err)
	}
}

// TestSlowTLS: who begins no handshake, and who is put out, holds nothing.
func TestSlowTLS(t *testing.T) {
	addr := listen(t, ok, &Options{TLS: certificate()}, func(g *Guard) { g.clients.conns = 20; g.pace.grace = time.Second })
	var open []net.Conn
	for range 100 {
		open = append(open, dial(t, addr, ""))
	}
	res, err := overTLS(t).Get("https://" + addr)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	for _, c := range open {
		c.SetDeadline(time.Now().Add(10 * time.Second))
		if _, err := io.Copy(io.Discard, c); errors.Is(err, context.DeadlineExceeded) {
			t.Error("a connection without a handshake is held")
		}
	}
}

// TestAccess: a line for each request, without what was asked.
func TestAccess(t *testing.T) {
	var buf bytes.Buffer
	var mu sync.Mutex
	log := slog.New(slog.NewJSONHandler(writer(func(p []byte) (int, error) {
		mu.Lock()
		defer mu.Unlock()
		return buf.Write(p)
	}), nil))
	const token = "secret-0123456789abcdef"
	addr := listen(t, ok, &Options{Access: log, Token: token, Route: func(r *http.Request) Route {
		return Route{Name: r.Method + " /route", Live: r.URL.Path == "/live"}
	}}, nil)
	for _, path := range []string{"/kept", "/live"} {
		req, err := http.NewRequestWithContext(t.Context(), "GET", "http://"+addr+path+"?secret-query=1", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+token)
		req.Header.Set("Traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
		res, err := h1(t).Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
	}
	text := ""
	for until := time.Now().Add(10 * time.Second); strings.Count(text, "\n") < 2 && time.Now().Before(until); time.Sleep(time.Millisecond) {
		mu.Lock()
		text = buf.String()
		mu.Unlock()
	}
	for _, want := range []string{`"method":"GET"`, `"route":"GET /route"`, `"status":200`, `"bytes":5`, `"took":`, `"client":"127.0.0.1:`, `"trace":"4bf92f3577b34da6a3ce929d0e0e4736"`} {
		if strings.Count(text, want) != 2 {
			t.Errorf("%s is not there twice: %s", want, text)
		}
	}
	if strings.Contains(text, "secret") {
		t.Errorf("it tells what was asked: %s", text)
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

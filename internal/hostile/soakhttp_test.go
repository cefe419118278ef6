package hostile

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// overHTTP starts the hostile clients of both HTTP servers. Those of the one with a token have it, but for what a web page would send.
func (s *soak) overHTTP(wg *sync.WaitGroup, ctx context.Context) {
	var n atomic.Int64
	next := func() (int, *server) {
		i := int(n.Add(1))
		return i, s.all[i%2]
	}
	raw := func(workers int, pause time.Duration, what string, do func(c net.Conn, sv *server)) {
		s.every(wg, ctx, workers, pause, func() {
			_, sv := next()
			s.connect(ctx, sv, what, func(c net.Conn) { do(c, sv) })
		})
	}
	raw(32, 0, "HTTP: bodies of a byte a second", func(c net.Conn, sv *server) {
		s.drip(ctx, c, head("POST /search", sv)+"Content-Length: 500\r\n\r\n", "{")
	})
	raw(32, 0, "HTTP: headers of a byte a second", func(c net.Conn, sv *server) {
		s.drip(ctx, c, "GET /tools HTTP/1.1\r\nHost: localhost\r\nX-A: ", "a")
	})
	raw(8, 0, "HTTP: clients that ask and do not read", func(c net.Conn, sv *server) {
		c.(*net.TCPConn).SetReadBuffer(1024)
		for range 50 {
			if _, err := io.WriteString(c, head("GET /tools", sv)+"\r\n"); err != nil {
				break
			}
		}
		wait(ctx, 20*time.Second)
	})
	raw(1, time.Second, "HTTP: uploads that are aborted", func(c net.Conn, sv *server) {
		io.WriteString(c, head("POST /documents?filename=aborted.pdf", sv)+"Content-Length: 20000000\r\n\r\n"+strings.Repeat("x", 2<<20))
		c.(*net.TCPConn).SetLinger(0)
	})
	raw(1, time.Second, "HTTP: uploads in pieces without an end", func(c net.Conn, sv *server) {
		io.WriteString(c, head("POST /documents?filename=endless.pdf", sv)+"Transfer-Encoding: chunked\r\n\r\n")
		for range 64 {
			if _, err := io.WriteString(c, "10000\r\n"+strings.Repeat("x", 1<<16)+"\r\n"); err != nil {
				return
			}
		}
		io.WriteString(c, "zz\r\n\r\n")
		s.hear(c)
	})
	raw(1, time.Second, "HTTP: floods of headers", func(c net.Conn, sv *server) {
		io.WriteString(c, head("GET /tools", sv)+strings.Repeat("X-Flood: aaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n", 20_000)+"\r\n")
		s.hear(c)
	})
	raw(1, 500*time.Millisecond, "HTTP: bytes that are no HTTP", func(c net.Conn, sv *server) {
		io.WriteString(c, "\x16\x03\x01\x00\xff\x00"+strings.Repeat("\xff", 500)+"\r\n\r\n")
		s.hear(c)
	})
	s.every(wg, ctx, 1, 20*time.Second, func() {
		_, sv := next()
		s.idle(ctx, sv, 1000)
	})
	c := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	bad := refused()
	s.every(wg, ctx, 2, 100*time.Millisecond, func() {
		i, sv := next()
		s.refuse(c, sv, "HTTP: requests that must fail", bad[i/2%len(bad)])
	})
	s.every(wg, ctx, 1, 200*time.Millisecond, func() {
		i, sv := next()
		p := paths[i%len(paths)].path
		s.refuse(c, sv, "HTTP: reads of what may not be read", tool("read", map[string]any{"path": p}, sv))
		r := tool("view_file", map[string]any{"path": moving[i%len(moving)]}, sv)
		s.send(c, sv, "HTTP: reads of what is exchanged meanwhile", r)
	})
	s.every(wg, ctx, 1, 2*time.Second, func() {
		_, sv := next()
		for _, h := range huge() {
			s.send(c, sv, "HTTP: calls with arguments of up to 900 KB, or nested 150 deep", tool(h.tool, h.args, sv))
		}
		s.refuse(c, sv, "HTTP: bodies over the limit", request{method: "POST", path: "/search", body: `{"query":"` + strings.Repeat("a", 2<<20) + `"}`, header: withToken(asJSON, sv.token)})
	})
	s.every(wg, ctx, 1, 5*time.Second, func() {
		_, sv := next()
		for ext, text := range documents {
			r := request{method: "POST", path: "/documents?filename=" + url.QueryEscape("hostile"+ext), body: text(), header: withToken(map[string]string{"Content-Type": "application/octet-stream"}, sv.token)}
			s.send(c, sv, "HTTP: hostile documents", r)
		}
		s.send(c, sv, "HTTP: searches for what hostile documents hold", request{method: "POST", path: "/search", body: `{"query":"antenna calibration token"}`, header: withToken(asJSON, sv.token)})
	})
}

// head is the start of a request with the server's token. The type is right for uploads and JSON alike where it does not matter.
func head(what string, sv *server) string {
	kind := "application/json"
	if strings.Contains(what, "/documents") {
		kind = "application/pdf"
	}
	return fmt.Sprintf("%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nAuthorization: Bearer %s\r\n", what, kind, sv.token)
}

func tool(name string, args map[string]any, sv *server) request {
	in, err := json.Marshal(args)
	if err != nil {
		panic(err) // maps of strings
	}
	return request{method: "POST", path: "/tools/" + name, body: string(in), header: withToken(asJSON, sv.token)}
}

// connect opens a connection, which nothing holds longer than patience.
func (s *soak) connect(ctx context.Context, sv *server, what string, do func(net.Conn)) {
	c, err := net.DialTimeout("tcp", sv.addr, patience)
	if err != nil {
		s.fault("no answer", "%s: %v", what, err)
		return
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(patience))
	s.count(what)
	do(c)
}

// hear reads what a server says until it closes the connection.
func (s *soak) hear(c net.Conn) {
	text, err := io.ReadAll(c)
	s.look("HTTP", string(text))
	if late, ok := err.(net.Error); ok && late.Timeout() {
		s.fault("something is held", "a hostile connection is open after %s", patience)
	}
}

// drip sends the start of a request, then a byte a second until the server has enough of it.
func (s *soak) drip(ctx context.Context, c net.Conn, start, piece string) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.hear(c)
	}()
	_, err := io.WriteString(c, start)
	for err == nil {
		select {
		case <-done:
			return
		case <-ctx.Done():
			c.Close()
			<-done
			return
		case <-time.After(time.Second):
			_, err = io.WriteString(c, piece)
		}
	}
	<-done
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// idle opens connections on which nothing is said, and holds those that the server does not close.
func (s *soak) idle(ctx context.Context, sv *server, many int) {
	var open []net.Conn
	for range many {
		c, err := net.DialTimeout("tcp", sv.addr, patience)
		if err != nil {
			s.fault("no answer", "an idle connection: %v", err)
			break
		}
		open = append(open, c)
	}
	wait(ctx, 10*time.Second)
	for _, c := range open {
		c.Close()
	}
	s.count(fmt.Sprintf("HTTP: %d idle connections", many))
}

// send sends a request of a hostile client, whose answer is looked at. The status is 0 when there is none.
func (s *soak) send(c *http.Client, sv *server, what string, r request) (int, string) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	s.count(what)
	res, text, err := r.send(ctx, c, sv.addr)
	s.look(what, text)
	if ctx.Err() != nil {
		s.fault("no answer", "%s: none after %s", what, patience)
	}
	if err != nil {
		return 0, ""
	}
	return res.StatusCode, text
}

// refuse sends a request that must fail by the client's fault, or find no place.
func (s *soak) refuse(c *http.Client, sv *server, what string, r request) {
	status, text := s.send(c, sv, what, r)
	if status != 0 && status != http.StatusServiceUnavailable && (status < 400 || status >= 500) {
		s.fault("a hostile request is not refused", "%s: %s %s %s: %d: %s", what, r.method, r.path, r.body[:min(len(r.body), 100)], status, text)
	}
}

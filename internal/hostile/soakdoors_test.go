package hostile

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var asStream = map[string]string{"Content-Type": "application/connect+json"}

// goodDoors starts good clients of the API, over HTTP/1.1 and HTTP/2, and of MCP over HTTP.
func (s *soak) goodDoors(wg *sync.WaitGroup, ctx context.Context) {
	var p http.Protocols
	p.SetUnencryptedHTTP2(true)
	for i, c := range []*http.Client{{Transport: &http.Transport{}}, {Transport: &http.Transport{Protocols: &p}}} {
		sv := s.all[i]
		wg.Go(func() {
			defer c.CloseIdleConnections()
			var own sync.WaitGroup
			s.every(&own, ctx, 1, 400*time.Millisecond, func() {
				s.ask(c, sv, "Connect search", request{method: "POST", path: connectPath + "Search", body: `{"query":"correlate the buffer"}`, header: asJSON}, has("spec.md"))
				s.ask(c, sv, "Connect traverse", request{method: "POST", path: connectPath + "Traverse", body: `{"ids":["good.py:good"],"direction":"out"}`, header: asJSON}, has("pkg/helper.py:help"))
				s.ask(c, sv, "Connect ask (stream)", request{method: "POST", path: connectPath + "Ask", body: askGood, header: asStream}, has("good.py"))
			})
			own.Wait()
		})
	}
	n := 0
	s.every(wg, ctx, 1, 5*time.Second, func() { // a session each time
		s.overMCPHTTP(ctx, s.all[0], n)
		n++
	})
}

// overMCPHTTP is one good session of MCP over HTTP.
func (s *soak) overMCPHTTP(ctx context.Context, sv *server, n int) {
	tr := &http.Transport{}
	defer tr.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	client := mcp.NewClient(&mcp.Implementation{Name: "soak", Version: "1"}, nil)
	cs, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: "http://" + sv.addr + "/mcp", HTTPClient: &http.Client{Transport: tr}}, nil)
	if err != nil {
		s.count("good: a session of MCP over HTTP that did not begin, and began again")
		return
	}
	defer cs.Close()
	for i := range 5 {
		q := []toolCall{
			{"read", map[string]any{"path": "good.py"}}, {"search_internal", map[string]any{"query": "correlate the buffer"}},
			{"traverse_graph", map[string]any{"id": "good.py:good", "direction": "out"}},
		}[(n+i)%3]
		began := time.Now()
		res, err := cs.CallTool(ctx, &mcp.CallToolParams{Name: q.tool, Arguments: q.args})
		if err != nil {
			s.count("good: a session of MCP over HTTP that broke off, and began again")
			return
		}
		data, err := json.Marshal(res)
		if s.look("MCP over HTTP", string(data)); err != nil || res.IsError {
			if strings.Contains(string(data), "busy") {
				s.count("good: told that MCP over HTTP is busy")
				continue
			}
			s.fault("a wrong answer", "MCP over HTTP, %s: %v: %s", q.tool, err, data)
		}
		s.answered("MCP over HTTP", time.Since(began))
	}
}

// overDoors starts hostile clients of streams.
func (s *soak) overDoors(wg *sync.WaitGroup, ctx context.Context) {
	var n atomic.Int64
	next := func() *server { return s.all[n.Add(1)%2] }
	each := func(workers int, pause time.Duration, what string, do func(c net.Conn, sv *server)) {
		s.every(wg, ctx, workers, pause, func() {
			sv := next()
			s.connect(ctx, sv, what, func(c net.Conn) { do(c, sv) })
		})
	}
	stream := func(sv *server) string {
		return fmt.Sprintf("POST %sAsk HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/connect+json\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s", connectPath, sv.token, len(askGood), askGood)
	}
	each(4, 0, "streams: clients that ask many times and read nothing", func(c net.Conn, sv *server) {
		c.(*net.TCPConn).SetReadBuffer(1024)
		io.WriteString(c, strings.Repeat(stream(sv), 200))
		wait(ctx, 20*time.Second)
	})
	each(2, 100*time.Millisecond, "streams: clients that leave in the middle", func(c net.Conn, sv *server) {
		io.WriteString(c, stream(sv))
		io.ReadFull(c, make([]byte, 100))
		c.(*net.TCPConn).SetLinger(0)
	})
	each(8, 0, "streams: clients that take a file of the page a byte at a time", func(c net.Conn, sv *server) {
		c.(*net.TCPConn).SetReadBuffer(1024)
		io.WriteString(c, strings.Repeat("GET /assets/pdfjs/pdf.worker.min.mjs HTTP/1.1\r\nHost: localhost\r\n\r\n", 20))
		for b := make([]byte, 1); ctx.Err() == nil; time.Sleep(time.Second) {
			if _, err := c.Read(b); err != nil {
				return
			}
		}
	})
	each(4, time.Second, "streams: sessions of MCP that listen, and are left", func(c net.Conn, sv *server) {
		fmt.Fprintf(c, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: %d\r\n\r\n%s", sv.token, len(mcpHello), mcpHello)
		wait(ctx, 2*time.Second)
	})
	each(4, 0, "HTTP/2: all streams open, and no body comes", func(c net.Conn, sv *server) {
		ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
		defer cancel()
		_ = openStreams(ctx, c, false)
	})
	each(1, time.Second, "HTTP/2: streams that are reset without an end", func(c net.Conn, sv *server) {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		_ = openStreams(ctx, c, true)
	})
}

package hostile

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// rawAttacks are what no honest HTTP client sends: odd lines, and clients that are slow on purpose, by hand over a socket.
func rawAttacks(*testing.T) []Attack {
	var out []Attack
	post := func(headers ...string) string {
		return "POST /search HTTP/1.1\r\n" + strings.Join(headers, "\r\n") + "\r\nContent-Type: application/json\r\nContent-Length: 16\r\n\r\n" + `{"query":"cell"}`
	}
	for _, r := range []struct{ name, send string }{
		{"options of the whole server", "OPTIONS * HTTP/1.1\r\nHost: evil.example\r\n\r\n"},
		{"a name in brackets", post("Host: [localhost]")},
		{"an address of version 4 in brackets", post("Host: [127.0.0.1]:80")},
		{"a port that is none", post("Host: localhost:x")},
		{"an origin with a user", post("Host: localhost", "Origin: http://user@localhost")},
		{"an origin with a path", post("Host: localhost", "Origin: http://localhost/x")},
		{"an origin with another scheme", post("Host: localhost", "Origin: https://localhost")},
		{"two sites, the first harmless", post("Host: localhost", "Sec-Fetch-Site: none", "Sec-Fetch-Site: cross-site")},
		{"a site that is none of the four", post("Host: localhost", "Sec-Fetch-Site: elsewhere")},
		{"two origins, the first our own", post("Host: localhost", "Origin: http://localhost", "Origin: https://evil.example")},
		{"two content types", post("Host: localhost", "Content-Type: text/plain")},
		{"two encodings", post("Host: localhost", "Content-Encoding: identity", "Content-Encoding: gzip")},
		{"two tokens", post("Host: localhost", "Authorization: Bearer a", "Authorization: Bearer b")},
	} {
		out = append(out, Attack{"http", r.name, "an error of the client's", func(t *testing.T) {
			c, err := net.Dial("tcp", httpServer(t))
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			c.SetDeadline(time.Now().Add(deadline))
			if _, err := io.WriteString(c, r.send); err != nil {
				t.Fatal(err)
			}
			line, err := bufio.NewReader(c).ReadString('\n')
			if !strings.HasPrefix(line, "HTTP/1.1 4") {
				t.Errorf("%q, %v", line, err)
			}
		}})
	}
	upload := func(ctx context.Context, c net.Conn) error {
		_, err := io.WriteString(c, "POST /documents?filename=a.pdf HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/pdf\r\nContent-Length: 60000000\r\n\r\n")
		for err == nil {
			_, err = c.Write(make([]byte, 20<<10))
			time.Sleep(100 * time.Millisecond)
		}
		return err
	}
	for _, s := range []struct {
		name string
		n    int
		run  func(ctx context.Context, c net.Conn) error // until the connection ends
	}{
		{"more slow uploads than there are places", 40, upload},
		{"more slow uploads than there may be connections", 300, upload},
		{"more bodies that do not come than there may be connections", 300, func(_ context.Context, c net.Conn) error {
			if _, err := io.WriteString(c, "POST /search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 16\r\n\r\n"); err != nil {
				return err
			}
			_, err := io.Copy(io.Discard, c)
			return err
		}},
		{"more clients that take no answer than there are places", 40, func(ctx context.Context, c net.Conn) error {
			return takeNothing(ctx, c, strings.Repeat("GET /tools HTTP/1.1\r\nHost: localhost\r\n\r\n", 5000))
		}},
		{"more clients that take nothing of the page's files than there are streams", 200, func(ctx context.Context, c net.Conn) error {
			return takeNothing(ctx, c, strings.Repeat("GET /assets/pdfjs/pdf.worker.min.mjs HTTP/1.1\r\nHost: localhost\r\n\r\n", 100))
		}},
		{"more clients that ask and take no piece of the answer than there are streams", 200, func(ctx context.Context, c net.Conn) error {
			return takeNothing(ctx, c, strings.Repeat(fmt.Sprintf("POST %sAsk HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/connect+json\r\nContent-Length: %d\r\n\r\n%s", connectPath, len(askGood), askGood), 1000))
		}},
		{"more sessions of MCP that listen than there may be", 200, func(ctx context.Context, c net.Conn) error {
			if _, err := fmt.Fprintf(c, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: %d\r\n\r\n%s", len(mcpHello), mcpHello); err != nil {
				return err
			}
			res, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil {
				return err
			}
			defer res.Body.Close()
			_, err = fmt.Fprintf(c, "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nMcp-Session-Id: %s\r\n\r\n", res.Header.Get("Mcp-Session-Id"))
			<-ctx.Done()
			return err
		}},
		{"clients of HTTP/2 that open all streams and send no body", 100, func(ctx context.Context, c net.Conn) error {
			return openStreams(ctx, c, false)
		}},
		{"clients of HTTP/2 that open streams and reset them, without an end", 20, func(ctx context.Context, c net.Conn) error {
			return openStreams(ctx, c, true)
		}},
		{"clients of HTTP/2 that say nothing after their first words", 300, func(ctx context.Context, c net.Conn) error {
			_, err := io.WriteString(c, http2.ClientPreface)
			<-ctx.Done()
			return err
		}},
	} {
		out = append(out, Attack{"http", s.name, "others are answered meanwhile", func(t *testing.T) {
			addr := httpServer(t)
			ctx, cancel := context.WithCancel(t.Context())
			var begun, ended sync.WaitGroup
			defer ended.Wait()
			defer cancel()
			for range s.n {
				begun.Add(1)
				ended.Go(func() {
					done := sync.OnceFunc(begun.Done)
					for ctx.Err() == nil { // who is put out comes again
						c, err := net.Dial("tcp", addr)
						if err != nil {
							done()
							continue
						}
						stop := context.AfterFunc(ctx, func() { c.Close() })
						time.AfterFunc(3*time.Second, done) // until it fills what it can
						_ = s.run(ctx, c)                   // it ends in one way or another
						stop()
						c.Close()
					}
					done()
				})
			}
			begun.Wait()
			for i := range 5 {
				if err := search(ctx, addr); err != nil {
					t.Fatalf("good request %d: %v", i, err)
				}
				if err := ask(ctx, addr); err != nil {
					t.Fatalf("good stream %d: %v", i, err)
				}
			}
		}})
	}
	return out
}

// askGood is a question as a message of a stream.
const askGood = "\x00\x00\x00\x00\x24" + `{"question":"what does good() do? "}`

// ask asks a question whose answer is a stream, as a good client does that comes again when it is told to, for a while.
func ask(ctx context.Context, addr string) error {
	ctx, cancel := context.WithTimeout(ctx, deadline/6)
	defer cancel()
	c := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for {
		res, text, err := request{method: "POST", path: connectPath + "Ask", body: askGood, header: map[string]string{"Content-Type": "application/connect+json"}}.send(ctx, c, addr)
		if err == nil && res.StatusCode == http.StatusOK && strings.Contains(text, "good.py") {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("%v: %.200s", err, text)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// takeNothing asks, and reads nothing of the answer.
func takeNothing(ctx context.Context, c net.Conn, requests string) error {
	if err := c.(*net.TCPConn).SetReadBuffer(4 << 10); err != nil {
		return err
	}
	_, err := io.WriteString(c, requests)
	<-ctx.Done()
	return err
}

// openStreams begins requests over HTTP/2 whose bodies do not come, or that are reset at once, until the connection ends.
func openStreams(ctx context.Context, c net.Conn, reset bool) error {
	if _, err := io.WriteString(c, http2.ClientPreface); err != nil {
		return err
	}
	var block bytes.Buffer
	enc := hpack.NewEncoder(&block)
	enc.SetMaxDynamicTableSizeLimit(0) // so that one block is good for every stream
	for _, f := range [][2]string{{":method", "POST"}, {":scheme", "http"}, {":authority", "localhost"}, {":path", connectPath + "Search"}, {"content-type", "application/json"}} {
		if err := enc.WriteField(hpack.HeaderField{Name: f[0], Value: f[1]}); err != nil {
			return err
		}
	}
	f := http2.NewFramer(c, c)
	if err := f.WriteSettings(); err != nil {
		return err
	}
	go io.Copy(io.Discard, c)
	for id := uint32(1); ctx.Err() == nil && id < 1<<30; id += 2 {
		if err := f.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: block.Bytes(), EndHeaders: true}); err != nil {
			return err
		}
		if reset {
			if err := f.WriteRSTStream(id, http2.ErrCodeCancel); err != nil {
				return err
			}
		} else if id > 64 {
			<-ctx.Done()
		}
	}
	return ctx.Err()
}

// overHTTP2 is a client that speaks HTTP/2 without TLS.
func overHTTP2(t *testing.T) *http.Client {
	var p http.Protocols
	p.SetUnencryptedHTTP2(true)
	tr := &http.Transport{Protocols: &p}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr}
}

// search asks as a good client does, on a connection of its own; one that is put out in the crowd asks again, once.
func search(ctx context.Context, addr string) error {
	var errs []error
	for range 2 {
		ctx, cancel := context.WithTimeout(ctx, deadline/6)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, "POST", "http://"+addr+"/search", strings.NewReader(`{"query":"cell"}`))
		if err != nil {
			return err
		}
		req.Header.Set("Content-Type", "application/json")
		client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		res, err := client.Do(req)
		if err == nil {
			res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return nil
			}
			err = errors.New(res.Status)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

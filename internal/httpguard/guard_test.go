package httpguard

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var ok = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { Reply(w, http.StatusOK, "ok") })

func TestCheck(t *testing.T) {
	addr, local := &net.TCPAddr{IP: net.IPv4(10, 0, 0, 7), Port: 8080}, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}
	const token = "0123456789abcdef"
	for _, tt := range []struct {
		name   string
		opt    Options
		host   string
		header map[string]string
		tls    bool
		want   int
	}{
		{name: "localhost", host: "localhost:8080", want: 200},
		{name: "in capitals", host: "LOCALHOST", want: 200},
		{name: "a dot at the end", host: "localhost.:80", want: 200},
		{name: "loopback", host: "127.0.0.1:8080", want: 200},
		{name: "loopback of version 6", host: "[::1]:8080", want: 200},
		{name: "the address", opt: Options{Token: token}, host: "10.0.0.7:8080", header: map[string]string{"Authorization": "Bearer " + token}, want: 200},
		{name: "the address, where no token is", host: "10.0.0.7:8080", want: 403},
		{name: "an allowed name", opt: Options{Hosts: []string{"docs.example"}}, host: "docs.example:8080", want: 200},
		{name: "another name", host: "evil.example", want: 421},
		{name: "a name with ours in front", host: "localhost.evil.example", want: 421},
		{name: "a user's name", host: "localhost:80@evil.example", want: 421},
		{name: "an address as a number", host: "2130706433", want: 421},
		{name: "all addresses", host: "0.0.0.0:8080", want: 421},
		{name: "another address", host: "10.0.0.8", want: 421},
		{name: "a zone", host: "[fe80::1%25lo]", want: 421},
		{name: "nothing", host: "", want: 421},
		{name: "own origin", host: "localhost:8080", header: map[string]string{"Origin": "http://localhost:8080"}, want: 200},
		{name: "another port", host: "localhost:8080", header: map[string]string{"Origin": "http://localhost:3000"}, want: 403},
		{name: "another origin", host: "localhost", header: map[string]string{"Origin": "https://evil.example"}, want: 403},
		{name: "null", host: "localhost", header: map[string]string{"Origin": "null"}, want: 403},
		{name: "a file", host: "localhost", header: map[string]string{"Origin": "file://"}, want: 403},
		{name: "an allowed origin", opt: Options{Origins: []string{"https://app.example"}}, host: "localhost", header: map[string]string{"Origin": "https://app.example", "Sec-Fetch-Site": "cross-site"}, want: 200},
		{name: "from another site", host: "localhost", header: map[string]string{"Sec-Fetch-Site": "cross-site"}, want: 403},
		{name: "from another port", host: "localhost", header: map[string]string{"Sec-Fetch-Site": "same-site"}, want: 403},
		{name: "typed by the user", host: "localhost", header: map[string]string{"Sec-Fetch-Site": "none"}, want: 200},
		{name: "own origin with a user", host: "localhost:8080", header: map[string]string{"Origin": "http://user@localhost:8080"}, want: 403},
		{name: "own origin with a path", host: "localhost:8080", header: map[string]string{"Origin": "http://localhost:8080/x"}, want: 403},
		{name: "own name with TLS", host: "localhost:8080", header: map[string]string{"Origin": "https://localhost:8080"}, want: 403},
		{name: "own name with TLS, over TLS", host: "localhost:8080", header: map[string]string{"Origin": "https://localhost:8080"}, tls: true, want: 200},
		{name: "own name without TLS, over TLS", host: "localhost:8080", header: map[string]string{"Origin": "http://localhost:8080"}, tls: true, want: 403},
		{name: "two origins", host: "localhost", header: map[string]string{"Origin": "http://localhost|https://evil.example"}, want: 400},
		{name: "two sites", host: "localhost", header: map[string]string{"Sec-Fetch-Site": "none|cross-site"}, want: 400},
		{name: "a site of no kind", host: "localhost", header: map[string]string{"Sec-Fetch-Site": "cross"}, want: 403},
		{name: "a name in brackets", host: "[localhost]", want: 421},
		{name: "an address of version 4 in brackets", host: "[127.0.0.1]:80", want: 421},
		{name: "an open bracket", host: "[::1", want: 421},
		{name: "a bracket alone", host: "[", want: 421},
		{name: "a mapped address", host: "[::ffff:127.0.0.1]:80", want: 200},
		{name: "no port behind the colon", host: "localhost:", want: 421},
		{name: "a port with a sign", host: "localhost:+80", want: 421},
		{name: "two tokens", opt: Options{Token: token}, host: "localhost", header: map[string]string{"Authorization": "Bearer " + token + "|Bearer x"}, want: 400},
		{name: "no token", opt: Options{Token: token}, host: "localhost", want: 401},
		{name: "a wrong token", opt: Options{Token: token}, host: "localhost", header: map[string]string{"Authorization": "Bearer 0123456789abcdeF"}, want: 401},
		{name: "a part of the token", opt: Options{Token: token}, host: "localhost", header: map[string]string{"Authorization": "Bearer 0123456789"}, want: 401},
		{name: "another scheme", opt: Options{Token: token}, host: "localhost", header: map[string]string{"Authorization": "Basic " + token}, want: 401},
		{name: "the token", opt: Options{Token: token}, host: "localhost", header: map[string]string{"Authorization": "bearer " + token}, want: 200},
	} {
		r := httptest.NewRequest("POST", "/x", nil)
		r.Host = tt.host
		for k, v := range tt.header {
			r.Header[k] = strings.Split(v, "|")
		}
		to := local
		if strings.HasPrefix(tt.host, "10.0.0.7") {
			to = addr
		}
		r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, net.Addr(to)))
		if tt.tls {
			r.TLS = &tls.ConnectionState{}
		}
		got, err := http.StatusOK, New(ok, &tt.opt).check(r, false)
		if e := (*Error)(nil); errors.As(err, &e) {
			got = e.Status
		}
		if got != tt.want {
			t.Errorf("%s: %d %v, want %d", tt.name, got, err, tt.want)
		}
	}
}

// TestUnspecified: an address that stands for all is no name of this server, also when it is listened on.
func TestUnspecified(t *testing.T) {
	for _, ip := range []net.IP{net.IPv4zero, net.IPv6zero} {
		addr := &net.TCPAddr{IP: ip, Port: 8080}
		const token = "0123456789abcdef"
		g, r := New(ok, &Options{Token: token}), httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Authorization", "Bearer "+token)
		r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, net.Addr(addr)))
		if r.Host = addr.String(); g.check(r, false) == nil {
			t.Errorf("%s is taken", r.Host)
		}
		if r.Host = "localhost:8080"; g.check(r, false) != nil {
			t.Errorf("%s is refused", r.Host)
		}
	}
}

func TestCheckAddress(t *testing.T) {
	const token = "0123456789abcdef"
	for _, tt := range []struct {
		addr, token string
		all, ok     bool
	}{
		{"127.0.0.1:80", "", false, true}, {"[::1]:80", "", false, true}, {"[::ffff:127.0.0.1]:80", "", false, true}, {"127.0.0.1:80", "short", false, false},
		{"0.0.0.0:80", "", true, false}, {"[::]:80", "", true, false}, {"192.168.1.4:80", "", true, false}, {"[::]:80", token, true, true},
	} {
		addr, err := net.ResolveTCPAddr("tcp", tt.addr)
		if err != nil {
			t.Fatal(err)
		}
		if all, err := checkAddress(addr, tt.token); all != tt.all || (err == nil) != tt.ok {
			t.Errorf("checkAddress(%s, %q) = %v, %v", tt.addr, tt.token, all, err)
		}
	}
}

func TestReadToken(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(" 0123456789abcdef\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if token, err := ReadToken(file); token != "0123456789abcdef" || err != nil {
		t.Errorf("ReadToken = %q, %v", token, err)
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadToken(file); err == nil {
		t.Error("a file that everybody reads is taken")
	}
}

func TestReadJSON(t *testing.T) {
	for _, tt := range []struct {
		name, kind, encoding, body string
		want                       int
	}{
		{"good", "application/json", "", `{"a":"[[["}`, 200}, {"with a charset", "application/json; charset=UTF-8", "", `{}`, 200}, {"another charset", "application/json; charset=utf-7", "", `{}`, 415},
		{"text", "text/plain", "", `{}`, 415}, {"a form", "application/x-www-form-urlencoded", "", `{}`, 415}, {"nothing", "", "", `{}`, 415}, {"two types", "application/json, text/plain", "", `{}`, 415},
		{"packed", "application/json", "gzip", `{}`, 415}, {"two values", "application/json", "", `{}{}`, 400}, {"deep", "application/json", "", strings.Repeat("[", 201), 400},
		{"large", "application/json", "", `"` + strings.Repeat("x", maxJSON) + `"`, 413}, {"cut", "application/json", "", `{"a":`, 400}, {"empty", "application/json", "", ``, 400},
	} {
		h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var v any
			if err := ReadJSON(r, &v); err != nil {
				Fail(w, slog.New(slog.DiscardHandler), err)
			}
		})
		r := httptest.NewRequest("POST", "/", strings.NewReader(tt.body))
		r.Header.Set("Content-Type", tt.kind)
		r.Header.Set("Content-Encoding", tt.encoding)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != tt.want {
			t.Errorf("%s: %d %s, want %d", tt.name, w.Code, w.Body, tt.want)
		}
	}
}

// uploads takes PDFs beside JSON.
func uploads(r *http.Request) Route {
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/pdf") {
		return Route{Types: []string{"application/pdf"}, MaxBody: 1 << 20, Upload: true}
	}
	return Route{}
}

// listen serves a handler on the loopback address, after set has changed the bounds.
func listen(t *testing.T, h http.Handler, o *Options, set func(*Guard)) string {
	t.Helper()
	ln, err := Listen("127.0.0.1:0", o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	s := New(h, o)
	s.opt.Grace = time.Second
	if set != nil {
		set(s)
	}
	go func() { done <- s.Serve(ctx, ln) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		for until := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) { // connections end a moment later
			s.clients.mu.Lock()
			used, open := s.clients.used, len(s.clients.all)
			s.clients.mu.Unlock()
			if used == 0 && open == 0 {
				break
			}
			if time.Now().After(until) {
				t.Fatalf("%d connections and %d bytes of the disk are not given back", open, used)
			}
		}
	})
	return ln.Addr().String()
}

func get(t *testing.T, addr string) int {
	t.Helper()
	client := http.Client{Timeout: time.Minute, Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Get("http://" + addr)
	if err != nil {
		t.Error(err)
		return 0
	}
	res.Body.Close()
	return res.StatusCode
}

// TestIdle: a thousand connections that say nothing keep nobody out.
func TestIdle(t *testing.T) {
	addr := listen(t, ok, nil, func(s *Guard) { s.clients.conns = 50 })
	for range 1000 {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	if code := get(t, addr); code != 200 {
		t.Errorf("%d", code)
	}
}

// TestRaw: what is sent by hand is answered by an error or an end, and the server goes on.
func TestRaw(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	addr := listen(t, ok, &Options{Route: uploads}, nil)
	for name, tt := range map[string]struct{ send, want string }{
		"no HTTP":               {"hello\r\n\r\n", "400"},
		"a flood of headers":    {"GET / HTTP/1.1\r\nHost: localhost\r\n" + strings.Repeat("X-A: "+strings.Repeat("a", 100)+"\r\n", 2000) + "\r\n", "431"},
		"one long header":       {"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("a", 1<<20) + "\r\n\r\n", "431"},
		"two hosts":             {"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\n\r\n", "400"},
		"two lengths":           {"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", "400"},
		"a length below zero":   {"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", "400"},
		"a length too large":    {"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/pdf\r\nContent-Length: 99999999999\r\n\r\n", "413"},
		"bad chunks":            {"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/pdf\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "400"},
		"chunks over the limit": {"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/pdf\r\nTransfer-Encoding: chunked\r\n\r\n" + fmt.Sprintf("%x\r\n%s\r\n", 1<<20, strings.Repeat("a", 1<<20)) + "5\r\naaaaa\r\n0\r\n\r\n", "413"},
		"JSON over the limit":   {"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1048577\r\n\r\n", "413"},
		"a form":                {"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 1\r\n\r\na", "415"},
		"options of the server": {"OPTIONS * HTTP/1.1\r\nHost: evil.example\r\n\r\n", "421"},
		"another's name":        {"GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n", "421"},
		"no host":               {"GET / HTTP/1.0\r\n\r\n", "421"},
	} {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		c.SetDeadline(time.Now().Add(time.Minute))
		go io.WriteString(c, tt.send) // the server may close before all is sent
		line, err := bufio.NewReader(c).ReadString('\n')
		if !strings.Contains(line, " "+tt.want+" ") {
			t.Errorf("%s: %q, %v, want %s", name, line, err, tt.want)
		}
		c.Close()
	}
	for range 20 { // uploads that are left in the middle
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(c, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/pdf\r\nContent-Length: 1000000\r\n\r\n"+strings.Repeat("a", 100<<10))
		c.Close()
	}
	if code := get(t, addr); code != 200 {
		t.Errorf("after all of it: %d", code)
	}
	for until := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		left, err := filepath.Glob(filepath.Join(os.TempDir(), "findspot-http-*"))
		if err != nil || len(left) == 0 {
			break
		}
		if time.Now().After(until) {
			t.Fatalf("left behind: %v", left)
		}
	}
}

// TestBusy: more requests than can be handled and wait are told so, and a panic ends none but its own.
func TestBusy(t *testing.T) {
	block, entered := make(chan struct{}), make(chan struct{}, 10)
	var s *Guard
	addr := listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/panic" {
			panic("x")
		}
		entered <- struct{}{}
		<-block
	}), &Options{Calls: 1, Waiting: 1}, func(v *Guard) { s = v })
	if code := get(t, addr+"/panic"); code != http.StatusInternalServerError {
		t.Errorf("a panic: %d", code)
	}
	codes := make(chan int, 3)
	go func() { codes <- get(t, addr) }()
	<-entered
	go func() { codes <- get(t, addr) }()
	for len(s.calls.line) < 2 {
		time.Sleep(time.Millisecond)
	}
	if code := get(t, addr); code != http.StatusServiceUnavailable {
		t.Errorf("the third: %d", code)
	}
	close(block)
	for range 2 {
		if code := <-codes; code != 200 {
			t.Errorf("one that waited: %d", code)
		}
	}
}

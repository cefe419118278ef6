package httpguard

import (
	"bufio"
	"context"
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
	addr := &net.TCPAddr{IP: net.IPv4(10, 0, 0, 7), Port: 8080}
	const token = "0123456789abcdef"
	for _, tt := range []struct {
		name   string
		opt    Options
		host   string
		header map[string]string
		want   int
	}{
		{name: "localhost", host: "localhost:8080", want: 200},
		{name: "in capitals", host: "LOCALHOST", want: 200},
		{name: "a dot at the end", host: "localhost.:80", want: 200},
		{name: "loopback", host: "127.0.0.1:8080", want: 200},
		{name: "loopback of version 6", host: "[::1]:8080", want: 200},
		{name: "the address", host: "10.0.0.7:8080", want: 200},
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
		{name: "no token", opt: Options{Token: token}, host: "localhost", want: 401},
		{name: "a wrong token", opt: Options{Token: token}, host: "localhost", header: map[string]string{"Authorization": "Bearer 0123456789abcdeF"}, want: 401},
		{name: "a part of the token", opt: Options{Token: token}, host: "localhost", header: map[string]string{"Authorization": "Bearer 0123456789"}, want: 401},
		{name: "another scheme", opt: Options{Token: token}, host: "localhost", header: map[string]string{"Authorization": "Basic " + token}, want: 401},
		{name: "the token", opt: Options{Token: token}, host: "localhost", header: map[string]string{"Authorization": "bearer " + token}, want: 200},
	} {
		r := httptest.NewRequest("POST", "/x", nil)
		r.Host = tt.host
		for k, v := range tt.header {
			r.Header.Set(k, v)
		}
		w := httptest.NewRecorder()
		New(ok, addr, &tt.opt).ServeHTTP(w, r)
		if w.Code != tt.want || w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d %s, want %d", tt.name, w.Code, w.Body, tt.want)
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
		if all, err := CheckAddress(addr, tt.token); all != tt.all || (err == nil) != tt.ok {
			t.Errorf("CheckAddress(%s, %q) = %v, %v", tt.addr, tt.token, all, err)
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
			if err := ReadJSON(w, r, &v); err != nil {
				FailBody(w, err)
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

// listen serves a handler on the loopback address.
func listen(t *testing.T, h http.Handler, o *Options, most int) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	srv := server(New(h, ln.Addr(), o), slog.New(slog.DiscardHandler), most)
	go func() { done <- Serve(ctx, srv, ln, time.Second) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return ln.Addr().String()
}

func get(t *testing.T, addr string) int {
	t.Helper()
	client := http.Client{Timeout: time.Minute, Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Get("http://" + addr + "/")
	if err != nil {
		t.Error(err)
		return 0
	}
	res.Body.Close()
	return res.StatusCode
}

// TestIdle: a thousand connections that say nothing keep nobody out.
func TestIdle(t *testing.T) {
	addr := listen(t, ok, nil, 50)
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
	upload := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != "POST" {
			Reply(w, http.StatusOK, "ok")
			return
		}
		f, err := Spool(w, r, 1<<20)
		if err != nil {
			FailBody(w, err)
			return
		}
		f.Close()
		Reply(w, http.StatusOK, "read")
	})
	addr := listen(t, upload, nil, 50)
	for name, tt := range map[string]struct{ send, want string }{
		"no HTTP":               {"hello\r\n\r\n", "400"},
		"a flood of headers":    {"GET / HTTP/1.1\r\nHost: localhost\r\n" + strings.Repeat("X-A: "+strings.Repeat("a", 100)+"\r\n", 2000) + "\r\n", "431"},
		"one long header":       {"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("a", 1<<20) + "\r\n\r\n", "431"},
		"two hosts":             {"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\n\r\n", "400"},
		"two lengths":           {"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", "400"},
		"a length below zero":   {"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", "400"},
		"a length too large":    {"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n", "413"},
		"bad chunks":            {"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "400"},
		"chunks over the limit": {"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + fmt.Sprintf("%x\r\n%s\r\n", 1<<20, strings.Repeat("a", 1<<20)) + "5\r\naaaaa\r\n0\r\n\r\n", "413"},
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
		io.WriteString(c, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nhalf")
		c.Close()
	}
	if code := get(t, addr); code != 200 {
		t.Errorf("after all of it: %d", code)
	}
	for until := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		left, err := filepath.Glob(filepath.Join(os.TempDir(), "findspot-upload-*"))
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
	h := New(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/panic" {
			panic("x")
		}
		entered <- struct{}{}
		<-block
	}), nil, &Options{Calls: 1, Waiting: 1})
	do := func(path string) int {
		r := httptest.NewRequest("GET", path, nil)
		r.Host = "localhost"
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code
	}
	if code := do("/panic"); code != http.StatusInternalServerError {
		t.Errorf("a panic: %d", code)
	}
	codes := make(chan int, 3)
	go func() { codes <- do("/") }()
	<-entered
	go func() { codes <- do("/") }()
	for len(h.(*guard).waiting) == 0 {
		time.Sleep(time.Millisecond)
	}
	if code := do("/"); code != http.StatusServiceUnavailable {
		t.Errorf("the third: %d", code)
	}
	close(block)
	for range 2 {
		if code := <-codes; code != 200 {
			t.Errorf("one that waited: %d", code)
		}
	}
}

// TestSlowBody: a body that does not come ends with an error of its own.
func TestSlowBody(t *testing.T) {
	err := copyBody(httptest.NewRecorder(), httptest.NewRequest("POST", "/", slow{}), io.Discard, 100)
	var be *BodyError
	if !errors.As(err, &be) || be.Status != http.StatusRequestTimeout {
		t.Errorf("copyBody = %v", err)
	}
}

type slow struct{}

func (slow) Read([]byte) (int, error) { return 0, os.ErrDeadlineExceeded }

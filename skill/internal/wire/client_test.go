package wire_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/internal/wire"
)

const key = "sk-very-secret-0123456789"

// do sends one request with the key to a server and reads the whole answer.
func do(t *testing.T, limits wire.Limits, h http.HandlerFunc) (string, error) {
	t.Helper()
	srv := httptest.NewServer(h)
	defer srv.Close()
	return send(t, t.Context(), srv.URL, limits)
}

func send(t *testing.T, ctx context.Context, url string, limits wire.Limits) (string, error) {
	t.Helper()
	c := wire.NewClient("test", nil, limits, []string{key, "x"})
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	res, err := c.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	return string(data), err
}

func stream(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		_, _ = io.WriteString(w, body)
	}
}

func answer(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func TestClient(t *testing.T) {
	if got, err := do(t, wire.Limits{}, stream("data: x\n\n")); got != "data: x\n\n" || err != nil {
		t.Errorf("a stream: %q, %v", got, err)
	}
	hang := func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body) // else the server does not see that the client is gone
		w.Header().Set("Content-Type", "text/event-stream")
		if f, ok := w.(http.Flusher); ok {
			f.Flush()
		}
		<-r.Context().Done()
	}
	silent := func(_ http.ResponseWriter, r *http.Request) { _, _ = io.ReadAll(r.Body); <-r.Context().Done() }
	begins := func(w http.ResponseWriter, r *http.Request) { stream("data: x\n\n")(w, r); hang(w, r) }
	drip := func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		stream("")(w, r)
		for r.Context().Err() == nil {
			_, _ = io.WriteString(w, ": x\n")
			if f, ok := w.(http.Flusher); ok {
				f.Flush()
			}
			time.Sleep(time.Millisecond)
		}
	}
	page := "<!DOCTYPE html><html><body>Sign in. Your token: " + key + "</body></html>"
	for _, tt := range []struct {
		name    string
		limits  wire.Limits
		handler http.HandlerFunc
		fault   string
		says    string
	}{
		{"no answer", wire.Limits{First: 20 * time.Millisecond}, silent, skill.FaultTimeout, "no answer in 20ms"},
		{"no first piece", wire.Limits{First: 20 * time.Millisecond}, hang, skill.FaultTimeout, "no answer in 20ms"},
		{"no next piece", wire.Limits{Idle: 20 * time.Millisecond}, begins, skill.FaultTimeout, "stopped for 20ms"},
		{"pieces without end", wire.Limits{Total: 60 * time.Millisecond}, drip, skill.FaultTimeout, "longer than 60ms"},
		{"bytes without end", wire.Limits{Bytes: 1000}, drip, skill.FaultProtocol, "over 1000 bytes"},
		{"a page of HTML", wire.Limits{}, answer(200, "text/html", page), skill.FaultProtocol, "is the base URL that of the API?"},
		{"a page of HTML that says it is text", wire.Limits{}, answer(502, "text/plain", page), skill.FaultOverloaded, "is the base URL that of the API?"},
		{"JSON in place of a stream", wire.Limits{}, answer(200, "application/json", `{"choices":[]}`), skill.FaultProtocol, `"application/json" came: {"choices":[]}`},
		{"no type", wire.Limits{}, answer(200, "", "x"), skill.FaultProtocol, "event stream"},
		{"another good status", wire.Limits{}, answer(204, "text/event-stream", ""), skill.FaultInvalid, "status 204"},
		{"an echo of the key", wire.Limits{}, answer(400, "application/json", `{"error":{"message":"header was Bearer `+key+`\u001b[31m"}}`), skill.FaultInvalid, "header was Bearer [key] [31m"},
		{"a long text", wire.Limits{}, answer(400, "text/plain", strings.Repeat("é", 1000)), skill.FaultInvalid, strings.Repeat("é", 300) + "..."},
		{"a text without end", wire.Limits{Total: time.Second}, func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusInternalServerError)
			for r.Context().Err() == nil {
				_, _ = io.WriteString(w, strings.Repeat(key, 100))
			}
		}, skill.FaultOverloaded, "[key][key]"},
		{"a connection that breaks", wire.Limits{}, func(w http.ResponseWriter, r *http.Request) {
			stream("data: x\n\n")(w, r)
			if f, ok := w.(http.Flusher); ok {
				f.Flush()
			}
			panic(http.ErrAbortHandler)
		}, skill.FaultNetwork, "unexpected EOF"},
		{"a wait", wire.Limits{}, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "7")
			answer(429, "application/json", `{"error":"slow down"}`)(w, r)
		}, skill.FaultRateLimit, "asks to wait 7s): slow down"},
		{"a wait that is none", wire.Limits{}, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "-1e99")
			answer(429, "application/json", `{"message":7}`)(w, r)
		}, skill.FaultRateLimit, "(status 429): 7"},
	} {
		_, err := do(t, tt.limits, tt.handler)
		var e *skill.ModelError
		if !errors.As(err, &e) || e.Fault != tt.fault || !strings.Contains(e.Error(), tt.says) {
			t.Errorf("%s: %v, want the fault %s and the words %q", tt.name, err, tt.fault, tt.says)
		}
		if err != nil && (strings.Contains(err.Error(), "secret") || strings.ContainsRune(err.Error(), 0x1b) || len(err.Error()) > 1000) {
			t.Errorf("%s: the error is not clean: %q", tt.name, err)
		}
	}
}

// TestRedirect makes sure that the key goes nowhere else.
func TestRedirect(t *testing.T) {
	asked := 0
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer other.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, to := range []string{other.URL + "/v1/take?it=1", "/elsewhere"} {
			_, err := do(t, wire.Limits{}, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/" {
					asked++
				}
				w.Header().Set("Location", to)
				w.WriteHeader(status)
			})
			var e *skill.ModelError
			if !errors.As(err, &e) || e.Fault != skill.FaultProtocol || !strings.Contains(e.Text, "redirects") {
				t.Errorf("status %d: %v", status, err)
			}
			if e != nil && to[0] != '/' && !strings.Contains(e.Text, other.URL) {
				t.Errorf("status %d: the error does not name the other address: %v", status, err)
			}
		}
	}
	if asked != 0 {
		t.Errorf("%d redirects were followed", asked)
	}
}

func TestNoServer(t *testing.T) {
	srv := httptest.NewServer(http.NotFoundHandler())
	srv.Close()
	_, err := send(t, t.Context(), srv.URL, wire.Limits{})
	var e *skill.ModelError
	if !errors.As(err, &e) || e.Fault != skill.FaultNetwork || !e.Temporary() {
		t.Errorf("nobody there: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := send(t, ctx, srv.URL, wire.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("ended before: %v", err)
	}
}

func TestBaseURL(t *testing.T) {
	for raw, want := range map[string]string{
		"https://api.example.com/v1/": "https://api.example.com/v1", " http://127.0.0.1:8000/v1": "http://127.0.0.1:8000/v1",
		"ftp://x": "", "api.example.com": "", "https://u:pw-secret@x/v1": "", "https://x/v1?key=secret": "", "https://": "", "http://[::1": "", "": "",
	} {
		u, err := wire.BaseURL("test", raw)
		if want == "" {
			var e *skill.ModelError
			if !errors.As(err, &e) || strings.Contains(err.Error(), "secret") {
				t.Errorf("BaseURL(%q) = %v, %v", raw, u, err)
			}
		} else if err != nil || u.String() != want {
			t.Errorf("BaseURL(%q) = %v, %v, want %s", raw, u, err, want)
		}
	}
	for raw, want := range map[string]bool{
		"https://x": false, "http://localhost:1": false, "http://127.0.0.1:8000": false, "http://[::1]:8000": false, "http://10.0.0.5:8000": true,
		"http://localhost.example.com": true, "http://127.0.0.1.example.com": true,
	} {
		u, err := wire.BaseURL("test", raw)
		if err != nil || wire.Clear(u) != want {
			t.Errorf("Clear(%s) is not %v (%v)", raw, want, err)
		}
	}
}

func TestName(t *testing.T) {
	seen := map[string]string{}
	for _, s := range []string{"", "a", "a.b", "a_b", "a/b", "ä", strings.Repeat("x", 64), strings.Repeat("x", 65), strings.Repeat("x", 66), "read file", "💡"} {
		n := wire.Name(s, 64)
		if n == "" || len(n) > 64 || strings.Trim(n, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" {
			t.Errorf("Name(%q) = %q", s, n)
		}
		if other, ok := seen[n]; ok {
			t.Errorf("%q and %q are both called %q", other, s, n)
		}
		if wire.Name(n, 64) != n {
			t.Errorf("a name changes: %q", n)
		}
		seen[n] = s
	}
	clash := wire.Name("a.b", 64)
	if _, err := wire.NewNames([]skill.ToolSpec{{Name: "a.b"}, {Name: clash}}, 64); err == nil {
		t.Error("two tools of one name are no error")
	}
}

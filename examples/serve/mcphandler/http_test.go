package mcphandler

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/internal/leak"
)

const helloBody = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

// web is a handler behind HTTP, and requests to it.
type web struct {
	t   *testing.T
	srv *httptest.Server
	c   *http.Client
}

func serveWeb(t *testing.T, h *Handler) *web {
	t.Helper()
	w := &web{t: t, srv: httptest.NewServer(h), c: &http.Client{Transport: &http.Transport{}}}
	t.Cleanup(func() {
		w.c.CloseIdleConnections()
		w.srv.CloseClientConnections()
		w.srv.Close()
	})
	return w
}

// do sends a request; headers are names and values in turn.
func (w *web) do(method, body string, headers ...string) *http.Response {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), method, w.srv.URL+"/mcp", strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Accept", "application/json, text/event-stream")
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
			continue
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := w.c.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { res.Body.Close() })
	return res
}

func (w *web) text(res *http.Response) string {
	w.t.Helper()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	res.Body.Close()
	return string(data)
}

// begin opens a session.
func (w *web) begin() string {
	w.t.Helper()
	res := w.do(http.MethodPost, helloBody)
	if text := w.text(res); res.StatusCode != http.StatusOK || !strings.Contains(text, `"serverInfo"`) {
		w.t.Fatalf("initialize = %d %s", res.StatusCode, text)
	}
	id := res.Header.Get(sessionName)
	w.text(w.do(http.MethodPost, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, sessionName, id))
	return id
}

func TestHTTPRefuses(t *testing.T) {
	leak.Check(t)
	w := serveWeb(t, handler(t, workspace(t, nil), &Options{Origins: []string{"https://allowed.example"}}))
	id := w.begin()
	ping := `{"jsonrpc":"2.0","id":7,"method":"ping"}`
	for _, tt := range []struct {
		name, method, body string
		headers            []string
		status             int
		want               string
	}{
		{"good", "POST", ping, nil, 200, `"id":7,"result":{}`},
		{"its own page", "POST", ping, []string{"Origin", w.srv.URL}, 200, `"result"`},
		{"an allowed page", "POST", ping, []string{"Origin", "https://allowed.example"}, 200, `"result"`},
		{"another page", "POST", ping, []string{"Origin", "https://evil.example"}, 403, `"origin \"https://evil.example\" is refused"`},
		{"a page of no origin", "POST", ping, []string{"Origin", "null"}, 403, "refused"},
		{"another page that listens", "GET", "", []string{"Origin", "https://evil.example"}, 403, "refused"},
		{"rebound DNS", "POST", ping, []string{"Host", "evil.example"}, 403, "Host"},
		{"rebound DNS with its own origin", "POST", ping, []string{"Host", "evil.example", "Origin", "http://evil.example"}, 403, "Host"},
		{"no message", "POST", "garbage", nil, 400, `"id":null,"error":{"code":-32700`},
		{"nothing", "POST", "", nil, 400, `-32700`},
		{"no method", "POST", `{"jsonrpc":"2.0","id":8}`, nil, 400, `"id":8,"error":{"code":-32600`},
		{"a key twice", "POST", `{"jsonrpc":"2.0","id":8,"method":"ping","method":"tools/list"}`, nil, 400, `-32600`},
		{"deep", "POST", strings.Repeat("[", 100_000), nil, 400, "-32600"},
		{"large", "POST", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("x", maxBody) + `"}}`, nil, 413, "bytes"},
		{"a form", "POST", ping, []string{"Content-Type", "text/plain"}, 415, "application/json"},
		{"an unknown method", "POST", `{"jsonrpc":"2.0","id":9,"method":"no/such"}`, nil, 400, ""},
		{"a session that is not there", "POST", ping, []string{sessionName, "nonsense"}, 404, ""},
		{"a verb", "PUT", ping, nil, 405, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res := w.do(tt.method, tt.body, append([]string{sessionName, id}, tt.headers...)...)
			if text := w.text(res); res.StatusCode != tt.status || !strings.Contains(text, tt.want) {
				t.Errorf("%d %.300s, want %d with %s", res.StatusCode, text, tt.status, tt.want)
			}
		})
	}
	if res := w.do("POST", ping, sessionName, id); res.StatusCode != 200 { // all the same
		t.Errorf("the session has ended: %d", res.StatusCode)
	}
}

// TestHTTPSessions: there are only so many, and those that are idle or given up end.
func TestHTTPSessions(t *testing.T) {
	leak.Check(t)
	h := handler(t, workspace(t, nil), &Options{MaxSessions: 2, Idle: time.Hour})
	w := serveWeb(t, h)
	one, two := w.begin(), w.begin()
	res := w.do("POST", helloBody)
	if text := w.text(res); res.StatusCode != 503 || res.Header.Get("Retry-After") == "" || !strings.Contains(text, "2 sessions, which is the most") {
		t.Errorf("a session too many = %d %s", res.StatusCode, text)
	}
	w.text(w.do("DELETE", "", sessionName, one))
	eventually(t, "the end of the session", func() bool { h.mu.Lock(); defer h.mu.Unlock(); return len(h.sessions) == 1 })
	if res := w.do("POST", `{"jsonrpc":"2.0","id":2,"method":"ping"}`, sessionName, one); res.StatusCode != 404 {
		t.Errorf("a session that was given up = %d", res.StatusCode)
	}
	three := w.begin()
	if one == three || two == three {
		t.Error("an id is used again")
	}
	idle := handler(t, workspace(t, nil), &Options{Idle: 50 * time.Millisecond})
	lazy := serveWeb(t, idle)
	id := lazy.begin()
	eventually(t, "the end of the idle session", func() bool {
		time.Sleep(100 * time.Millisecond) // more than it may be idle: asking does not keep it
		res := lazy.do("POST", `{"jsonrpc":"2.0","id":2,"method":"ping"}`, sessionName, id)
		lazy.text(res)
		return res.StatusCode == 404
	})
}

// TestResume: a client whose stream broke gets the answer on another one.
func TestResume(t *testing.T) {
	leak.Check(t)
	h := handler(t, workspace(t, nil), nil)
	began, free := make(chan struct{}), make(chan struct{})
	h.server.AddTool(&mcp.Tool{Name: "slow", InputSchema: form(nil)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		close(began)
		<-free
		return said("at last"), nil
	})
	w := serveWeb(t, h)
	id := w.begin()
	res := w.do("POST", `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"slow"}}`, sessionName, id, versionName, "2025-11-25")
	event := ""
	for r := bufio.NewReader(res.Body); event == ""; {
		line, err := r.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		event, _ = strings.CutPrefix(strings.TrimSpace(line), "id: ")
		if !strings.HasPrefix(line, "id: ") {
			event = ""
		}
	}
	<-began
	res.Body.Close() // the connection breaks
	close(free)
	again := w.do("GET", "", sessionName, id, "Last-Event-ID", event, versionName, "2025-11-25")
	if text := w.text(again); again.StatusCode != 200 || !strings.Contains(text, "at last") {
		t.Errorf("the stream goes on with %d %s", again.StatusCode, text)
	}
	if res := w.do("GET", "", sessionName, id, "Last-Event-ID", "nonsense_0"); res.StatusCode != 400 {
		t.Errorf("a stream that is not there = %d", res.StatusCode)
	}
}

// TestHTTPClose: closing the handler ends streams that listen.
func TestHTTPClose(t *testing.T) {
	leak.Check(t)
	h, err := New(workspace(t, nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	w := serveWeb(t, h)
	id := w.begin()
	res := w.do("GET", "", sessionName, id)
	done := make(chan error, 1)
	go func() {
		_, err := io.Copy(io.Discard, res.Body)
		done <- err
	}()
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	select {
	case <-done:
	case <-time.After(patient):
		t.Fatal("the stream goes on")
	}
	if res := w.do("POST", helloBody); res.StatusCode != 503 {
		t.Errorf("a closed handler = %d", res.StatusCode)
	}
}

// TestWithoutSessions: clients of the version that has none call tools all the same.
func TestWithoutSessions(t *testing.T) {
	leak.Check(t)
	w := serveWeb(t, handler(t, workspace(t, nil), nil))
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	res := w.do("POST", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_entity","arguments":{"query":"detect_pss"},`+meta+`}}`,
		versionName, "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "search_entity")
	if text := w.text(res); res.StatusCode != 200 || !strings.Contains(text, "receiver/pss.py:detect_pss") || res.Header.Get(sessionName) != "" {
		t.Errorf("a call = %d %s", res.StatusCode, text)
	}
	res = w.do("POST", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{`+meta+`}}`) // what its body says counts too
	if text := w.text(res); res.StatusCode != 400 || !strings.Contains(text, "MCP-Protocol-Version") && !strings.Contains(text, "Mcp-Protocol-Version") {
		t.Errorf("without the header = %d %s", res.StatusCode, text)
	}
}

const stateless = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

// calls calls a tool as a client without sessions.
func (w *web) calls(tool, args string) string {
	w.t.Helper()
	return w.text(w.do("POST", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+args+`,`+stateless+`}}`,
		versionName, "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", tool))
}

// TestStatelessCallsAreApart: what one client found, another one without a session does not read.
func TestStatelessCallsAreApart(t *testing.T) {
	leak.Check(t)
	w := serveWeb(t, handler(t, workspace(t, nil), nil))
	if got := w.calls("search_entity", `{"query":"detect_pss"}`); !strings.Contains(got, "receiver/pss.py:detect_pss") {
		t.Fatalf("search = %s", got)
	}
	if got := w.calls("read", `{}`); !strings.Contains(got, "nothing was found in this run") {
		t.Errorf("read = %s", got)
	}
}

// TestStatelessHasNoSkill: one client's run of the active skill would open its gates for all.
func TestStatelessHasNoSkill(t *testing.T) {
	leak.Check(t)
	skills := t.TempDir()
	if err := os.MkdirAll(filepath.Join(skills, "plan-first"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(skills, "plan-first", "SKILL.md"), []byte(planSkill), 0o666); err != nil {
		t.Fatal(err)
	}
	ws := workspace(t, &findspot.Options{Skills: []fs.FS{os.DirFS(skills)}})
	h := handler(t, ws, &Options{Skill: "plan-first", Inputs: map[string]any{"topic": "primary synchronization signal"}})
	w := serveWeb(t, h)
	for tool, args := range map[string]string{runSkill: `{}`, "search_internal": `{"query":"noise floor"}`} {
		if got := w.calls(tool, args); !strings.Contains(got, "the skill plan-first is active") || !strings.Contains(got, "needs a session") {
			t.Errorf("%s = %s", tool, got)
		}
	}
	// A client of the newest version is told which ones have sessions, and takes one.
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: w.srv.URL, HTTPClient: w.c}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "search_internal", Arguments: map[string]any{"query": "noise floor"}}); err != nil || res.IsError {
		t.Errorf("with a session = %+v, %v", res, err)
	}
}

func TestEvents(t *testing.T) {
	ctx := t.Context()
	e := newEvents(10 * (eventCost + 100))
	all := func(session, stream string, after int) (out []string, err error) {
		for data, err := range e.After(ctx, session, stream, after) {
			if err != nil {
				return out, err
			}
			out = append(out, string(data[:min(len(data), 2)]))
		}
		return out, nil
	}
	put := func(session, stream, text string) {
		t.Helper()
		if err := e.Append(ctx, session, stream, []byte(text+strings.Repeat(".", 100-len(text)))); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 6 {
		put("s", "a", fmt.Sprint("a", i))
		put("s", "", fmt.Sprint("x", i))
	}
	if e.bytes > e.most || e.order.Len() != 10 {
		t.Errorf("%d events of %d bytes are kept", e.order.Len(), e.bytes)
	}
	if got, err := all("s", "a", 3); err != nil || fmt.Sprint(got) != "[a4 a5]" {
		t.Errorf("after 3: %v, %v", got, err)
	}
	if got, err := all("s", "a", 5); err != nil || len(got) != 0 {
		t.Errorf("after the last: %v, %v", got, err)
	}
	if got, err := all("s", "a", -1); err == nil || len(got) > 0 {
		t.Errorf("from the beginning, which is gone: %v, %v", got, err)
	}
	if got, err := all("s", "", -1); err != nil || fmt.Sprint(got) != "[x1 x2 x3 x4 x5]" {
		t.Errorf("the standalone stream from its beginning: %v, %v", got, err)
	}
	put("s", "", "x6")
	if got, err := all("s", "", 4); err != nil || fmt.Sprint(got) != "[x6]" { // numbered anew: x1 was 0
		t.Errorf("the standalone stream after that: %v, %v", got, err)
	}
	if _, err := all("s", "none", 0); err == nil {
		t.Error("a stream that is not there has events")
	}
	put("t", "b", "b0")
	if err := e.SessionClosed(ctx, "s"); err != nil {
		t.Fatal(err)
	}
	if got, err := all("t", "b", -1); err != nil || fmt.Sprint(got) != "[b0]" || e.bytes != eventCost+100 || len(e.streams) != 1 || e.ages.Len() != 1 {
		t.Errorf("another session: %v, %v; %d bytes, %d streams", got, err, e.bytes, len(e.streams))
	}
	if err := e.Append(ctx, "t", "b", bytes.Repeat([]byte("x"), 10*e.most)); err != nil || e.bytes != 0 {
		t.Errorf("an event larger than all: %v, %d bytes", err, e.bytes)
	}
	for i := range 2 * maxStreams {
		if err := e.Open(ctx, "t", fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	if len(e.streams) != maxStreams || e.ages.Len() != maxStreams {
		t.Errorf("%d streams are kept", len(e.streams))
	}
}

// TestEventsOfADroppedStream: a stream that made room for others and goes on is not numbered from 0 again, and one in use makes none.
func TestEventsOfADroppedStream(t *testing.T) {
	ctx := t.Context()
	e := newEvents(maxEventBytes)
	put := func(stream, text string) {
		t.Helper()
		if err := e.Append(ctx, "s", stream, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	after := func(stream string, index int) (out []string, err error) {
		for data, err := range e.After(ctx, "s", stream, index) {
			if err != nil {
				return out, err
			}
			out = append(out, string(data))
		}
		return out, nil
	}
	opened := 0
	more := func(n int) {
		t.Helper()
		for range n {
			opened++
			if err := e.Open(ctx, "t", fmt.Sprint(opened)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range 3 {
		put("a", fmt.Sprint("a", i))
	}
	more(maxStreams)
	if _, err := after("a", 1); !errors.Is(err, mcp.ErrEventsPurged) {
		t.Errorf("a dropped stream: %v", err)
	}
	put("a", "a3")
	if got, err := after("a", 2); err != nil || fmt.Sprint(got) != "[a3]" {
		t.Errorf("after the last event that it had: %v, %v", got, err)
	}
	if got, err := after("a", 1); !errors.Is(err, mcp.ErrEventsPurged) {
		t.Errorf("after one whose next is gone: %v, %v", got, err)
	}
	put("b", "b0")
	more(maxStreams - 2)
	put("a", "a4") // in use: b, which is not, goes first
	more(1)
	if got, err := after("a", 2); err != nil || fmt.Sprint(got) != "[a3 a4]" {
		t.Errorf("a stream in use: %v, %v", got, err)
	}
	if got, err := after("b", -1); !errors.Is(err, mcp.ErrEventsPurged) {
		t.Errorf("the stream used longest ago: %v, %v", got, err)
	}
	if got, err := after("b", 0); err != nil || len(got) > 0 {
		t.Errorf("a dropped stream after its last event: %v, %v", got, err)
	}
	put("", "x0")
	more(maxStreams)
	if got, err := after("", -1); err != nil || len(got) > 0 {
		t.Errorf("the standalone stream from its beginning, which is gone: %v, %v", got, err)
	}
	put("", "x1")
	if got, err := after("", -1); err != nil || fmt.Sprint(got) != "[x1]" {
		t.Errorf("the standalone stream after that: %v, %v", got, err)
	}
	// So many are dropped that their counts are forgotten: what is left of them cannot be numbered.
	put("c", "c0")
	for i := range maxDropped + 2*maxStreams {
		if err := e.Append(ctx, "t", fmt.Sprint("late", i), nil); err != nil {
			t.Fatal(err)
		}
	}
	if len(e.dropped) > maxDropped {
		t.Errorf("%d counts are kept", len(e.dropped))
	}
	put("c", "c1")
	if got, err := after("c", 0); !errors.Is(err, mcp.ErrEventsPurged) {
		t.Errorf("a stream whose count is forgotten: %v, %v", got, err)
	}
	if err := errors.Join(e.SessionClosed(ctx, "t"), e.SessionClosed(ctx, "s")); err != nil || len(e.streams)+len(e.dropped)+e.ages.Len()+e.bytes > 0 {
		t.Errorf("%d streams and %d counts are left, %v", len(e.streams), len(e.dropped), err)
	}
}

// TestFlood: many requests at once, some given up, leave nothing behind.
func TestFlood(t *testing.T) {
	leak.Check(t)
	h := handler(t, workspace(t, nil), &Options{MaxSessions: 8})
	w := serveWeb(t, h)
	done := make(chan bool)
	for i := range 32 {
		go func() {
			defer func() { done <- true }()
			ctx, cancel := context.WithTimeout(context.Background(), time.Duration(i%8+1)*20*time.Millisecond)
			defer cancel()
			for ctx.Err() == nil {
				r, err := http.NewRequestWithContext(ctx, "POST", w.srv.URL, strings.NewReader(helloBody))
				if err != nil {
					t.Error(err)
					return
				}
				r.Header.Set("Accept", "application/json, text/event-stream")
				r.Header.Set("Content-Type", "application/json")
				if res, err := w.c.Do(r); err == nil {
					_, _ = io.Copy(io.Discard, res.Body)
					res.Body.Close()
				}
			}
		}()
	}
	for range 32 {
		<-done
	}
	if n := h.open(); n > 8 {
		t.Errorf("%d sessions are open, want at most 8", n)
	}
	var out struct{ Error struct{ Code int } }
	res := w.do("POST", helloBody)
	if text := w.text(res); res.StatusCode == 503 && (json.Unmarshal([]byte(text), &out) != nil || out.Error.Code != codeRefused) {
		t.Errorf("the refusal is %s", text)
	}
}

package hostile

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// programs are built once for all attacks, in the folder that TestMain removes.
var programs = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp(os.Getenv("XDG_CONFIG_HOME"), "programs")
	if err != nil {
		return "", err
	}
	out, err := exec.Command("go", "build", "-o", dir, "../../examples/findspot", "../../examples/mcpserver", "../../examples/httpserver").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return dir, nil
})

func program(t testing.TB, name string) string {
	t.Helper()
	dir, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, name)
}

// cliAttacks ask the command line.
func cliAttacks(t *testing.T) []Attack {
	var out []Attack
	cli := func(name, must string, bad func(w *world) []string, check func(t *testing.T, w *world, text string, err error)) {
		out = append(out, Attack{"cli", name, must, func(t *testing.T) {
			w, _, _ := offered(t)
			ctx, cancel := context.WithTimeout(t.Context(), deadline)
			defer cancel()
			cmd := exec.CommandContext(ctx, program(t, "findspot"), append([]string{"--dir", filepath.Join(t.TempDir(), "index"), "--no-servers"}, bad(w)...)...)
			cmd.Dir = w.base
			text, err := cmd.CombinedOutput()
			if ctx.Err() != nil {
				t.Error("hangs")
			}
			if m := leaks(string(text)); m != "" {
				t.Errorf("gives away %q:\n%s", m, text)
			}
			if check != nil {
				check(t, w, string(text), err)
			}
		}})
	}
	for _, p := range paths {
		if strings.ContainsRune(p.path, 0) {
			continue
		}
		cli("code retrieve "+p.path, "an error", func(w *world) []string { return []string{"code", "retrieve", "--repo", w.repo, p.path} }, func(t *testing.T, _ *world, text string, err error) {
			if err == nil {
				t.Errorf("%s", text)
			}
		})
	}
	cli("code grep for what lies outside", "nothing", func(w *world) []string { return []string{"code", "grep", "--repo", w.repo, "marker"} }, nil)
	cli("code grep for a token", "masked", func(w *world) []string { return []string{"code", "grep", "--repo", w.repo, "TOKEN"} }, nil)
	for _, h := range hostileTexts {
		cli("code grep in content with "+h.name, "it is seen", func(w *world) []string {
			w.file(t, "repo/hostile.py", "# xylophone "+strings.ReplaceAll(h.text, "\n", " ")+"\n")
			return []string{"code", "grep", "--repo", w.repo, "xylophone"}
		}, func(t *testing.T, _ *world, text string, err error) {
			if err != nil || strings.ContainsFunc(text, unseen) || !strings.Contains(text, "xylophone") {
				t.Errorf("%q, %v", text, err)
			}
		})
	}
	cli("ask about what lies outside", "nothing", func(w *world) []string { return []string{"ask", "--repo", w.repo, "--docs", w.docs, "what is stolen?"} }, nil)
	return out
}

// hello begins a session.
const hello = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}` + "\n" +
	`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

// badLines are what no client should send over standard input, and the code that answers it; empty: any, or none.
func badLines() []struct{ name, line, code string } {
	return []struct{ name, line, code string }{
		{"no JSON", "hello", "-32700"}, {"half a message", `{"jsonrpc":"2.0","id":1,"meth`, "-32700"}, {"an object of something else", `{"foo":1}`, "-32600"}, {"an empty list", "[]", "-32600"},
		{"a number", "42", "-32600"}, {"null", "null", "-32600"}, {"another version", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, "-32600"}, {"an id that is an object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, "-32600"},
		{"parameters that are a number", `{"jsonrpc":"2.0","id":1,"method":"ping","params":1}`, ""}, {"bytes that are no UTF-8", "\xff\xfe\x00", "-32700"}, {"100,000 brackets", strings.Repeat("[", 100_000), ""},
		{"two megabytes without a newline", strings.Repeat("a", 2<<20), "-32700"}, {"20 megabytes without a newline", strings.Repeat("a", 20<<20), ""}, {"a method that is not there", `{"jsonrpc":"2.0","id":1,"method":"none"}`, ""},
		{"an answer that nobody asked for", `{"jsonrpc":"2.0","id":77,"result":{}}`, ""}, {"an error that nobody asked for", `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}`, ""}, {"two messages on a line", `{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"}`, ""},
		{"one id twice", `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n" + `{"jsonrpc":"2.0","id":1,"method":"ping"}`, ""}, {"blank lines", "\n\n\r\n", ""}, {"a second greeting", `{"jsonrpc":"2.0","id":"h2","method":"initialize","params":{}}`, ""},
		{"a call of no tool", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"none"}}`, ""}, {"arguments of a wrong kind", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":[1]}}`, ""},
		{"a cancel of nothing", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`, ""}, {"a byte order mark", "\ufeff{}", ""},
	}
}

// refusedPaths are some of paths, for sessions that cost a process each.
var refusedPaths = []string{"notes.md", "env.txt", "stdin.txt", "pipe.txt", ".env", ".git/config", "id_rsa", "ignored.txt"}

// mcpAttacks speak to the server over standard input.
func mcpAttacks(*testing.T) []Attack {
	var out []Attack
	session := func(name, must, send string, check func(t *testing.T, answers string)) {
		out = append(out, Attack{"mcp", name, must, func(t *testing.T) {
			w, _, _ := offered(t)
			ctx, cancel := context.WithTimeout(t.Context(), deadline)
			defer cancel()
			cmd := exec.CommandContext(ctx, program(t, "mcpserver"), "-profile", "full", "-dir", filepath.Join(t.TempDir(), "index"), "-repo", w.repo)
			cmd.Env = append(os.Environ(), "PATH=/nowhere", "XDG_CONFIG_HOME="+t.TempDir())
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			outp, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			go io.WriteString(in, hello+send+"\n"+`{"jsonrpc":"2.0","id":"last","method":"ping"}`+"\n")
			var all strings.Builder
			lines := bufio.NewReader(outp)
			for !strings.Contains(all.String(), `"id":"last"`) || strings.Contains(send, `"tools/call"`) && !strings.Contains(all.String(), `"id":1,`) {
				line, err := lines.ReadString('\n')
				all.WriteString(line)
				if err != nil {
					t.Errorf("the server ended: %v\n%s\n%s", err, all.String(), stderr.String())
					break
				}
			}
			in.Close()
			io.Copy(&all, lines)
			if err := cmd.Wait(); err != nil || ctx.Err() != nil {
				t.Errorf("the server ends with %v, %v\n%s", err, ctx.Err(), stderr.String())
			}
			if m := leaks(all.String()); m != "" {
				t.Errorf("gives away %q", m)
			}
			if check != nil {
				check(t, all.String())
			}
		}})
	}
	code := func(want string) func(*testing.T, string) {
		return func(t *testing.T, answers string) {
			if !strings.Contains(answers, `"code":`+want) {
				t.Errorf("no error %s in\n%s", want, answers)
			}
		}
	}
	for _, x := range badLines() {
		var check func(*testing.T, string)
		if x.code != "" {
			check = code(x.code)
		}
		session(x.name, "the protocol's error, and the server goes on", x.line, check)
	}
	for _, p := range refusedPaths {
		line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": "read", "arguments": map[string]any{"path": p}}})
		if err != nil {
			panic(err)
		}
		session("read "+p, "an error, and standard input is the protocol's alone", string(line), func(t *testing.T, answers string) {
			if !strings.Contains(answers, `"isError":true`) {
				t.Errorf("%s", answers)
			}
		})
	}
	return out
}

var listens = regexp.MustCompile(`addr=(\S+)`)

// httpServer starts the server over the world, and returns its address.
func httpServer(t *testing.T) string {
	t.Helper()
	w, _, _ := offered(t)
	cmd := exec.Command(program(t, "httpserver"), "-addr", "127.0.0.1:0", "-dir", filepath.Join(t.TempDir(), "index"), "-repo", w.repo)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			t.Errorf("the server ends with %v", err)
		}
	})
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if m := listens.FindStringSubmatch(lines.Text()); m != nil && strings.Contains(lines.Text(), "listening") {
			go io.Copy(io.Discard, stderr)
			if err := isReady(t.Context(), m[1], deadline); err != nil {
				t.Fatal(err)
			}
			return m[1]
		}
	}
	t.Fatal("the server does not listen")
	return ""
}

// isReady waits until a server has read its sources.
func isReady(ctx context.Context, addr string, most time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	c := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for {
		_, text, err := request{method: "GET", path: "/healthz"}.send(ctx, c, addr)
		if strings.Contains(text, `"ready":true`) {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("the server has not read its sources: %s, %v", text, err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

const cellSearch = `{"query":"cell"}`

const (
	connectPath = "/findspot.v1.Findspot/"
	mcpHello    = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"h","version":"1"}}}`
)

var asMCP = map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}

func withHeader(header map[string]string, k, v string) map[string]string {
	out := maps.Clone(header)
	out[k] = v
	return out
}

var asJSON = map[string]string{"Content-Type": "application/json"}

// A request is sent over HTTP.
type request struct {
	name, method, path, body string
	header                   map[string]string
	host                     string
}

// refused are requests that a web page or another client might send, and that must fail.
func refused() []request {
	json := asJSON
	with := func(k, v string) map[string]string {
		return map[string]string{"Content-Type": "application/json", k: v}
	}
	return []request{
		{name: "a page of another name (rebinding)", method: "POST", path: "/search", body: cellSearch, header: json, host: "evil.example"},
		{name: "the tools for a page of another name", method: "GET", path: "/tools", host: "evil.example:8080"},
		{name: "a name that begins as ours", method: "GET", path: "/tools", host: "localhost.evil.example"},
		{name: "another origin", method: "POST", path: "/search", body: cellSearch, header: with("Origin", "https://evil.example")},
		{name: "no origin that is told", method: "POST", path: "/search", body: cellSearch, header: with("Origin", "null")},
		{name: "a request that crosses sites", method: "POST", path: "/search", body: cellSearch, header: with("Sec-Fetch-Site", "cross-site")},
		{name: "a form as text", method: "POST", path: "/documents?filename=a.md", body: "x", header: map[string]string{"Content-Type": "text/plain"}},
		{name: "a form", method: "POST", path: "/documents?filename=a.md", body: "a=b", header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}},
		{name: "a form of parts", method: "POST", path: "/documents?filename=a.md", body: "--x--", header: map[string]string{"Content-Type": "multipart/form-data; boundary=x"}},
		{name: "no content type", method: "POST", path: "/search", body: cellSearch, header: map[string]string{"Content-Type": ""}},
		{name: "a search as text", method: "POST", path: "/search", body: cellSearch, header: map[string]string{"Content-Type": "text/plain"}},
		{name: "a tool as text", method: "POST", path: "/tools/read", body: `{"path":"good.py"}`, header: map[string]string{"Content-Type": "text/plain"}},
		{name: "a name with folders", method: "POST", path: "/documents?filename=..%2Fa.md", body: "x", header: map[string]string{"Content-Type": "application/octet-stream"}},
		{name: "a name with a NUL", method: "POST", path: "/documents?filename=a%00.md", body: "x", header: map[string]string{"Content-Type": "application/octet-stream"}},
		{name: "a document as JSON", method: "POST", path: "/documents?filename=a.md", body: `{}`, header: json},
		{name: "brackets", method: "POST", path: "/tools/read", body: strings.Repeat("[", 200_000), header: json},
		{name: "two values", method: "POST", path: "/search", body: cellSearch + cellSearch, header: json},
		{name: "a link out", method: "POST", path: "/tools/read", body: `{"path":"notes.md"}`, header: json},
		{name: "the environment", method: "POST", path: "/tools/read", body: `{"path":"env.txt"}`, header: json},
		{name: "a pipe", method: "POST", path: "/tools/view_file", body: `{"path":"pipe.txt"}`, header: json},
		{name: "an absolute path", method: "POST", path: "/tools/read", body: `{"path":"/etc/passwd"}`, header: json},
		{name: "a file of secrets", method: "POST", path: "/tools/read_file", body: `{"path":".env"}`, header: json},
		{name: "a call for a page of another name", method: "POST", path: connectPath + "Search", body: cellSearch, header: json, host: "evil.example"},
		{name: "a call by GET for a page of another name", method: "GET", path: connectPath + "Guide?encoding=json&message=%7B%7D&connect=v1", host: "evil.example"},
		{name: "a call from another origin", method: "POST", path: connectPath + "Search", body: cellSearch, header: with("Origin", "https://evil.example")},
		{name: "a call by GET that crosses sites", method: "GET", path: connectPath + "Guide?encoding=json&message=%7B%7D&connect=v1", header: map[string]string{"Sec-Fetch-Site": "cross-site"}},
		{name: "a call as text", method: "POST", path: connectPath + "Search", body: cellSearch, header: map[string]string{"Content-Type": "text/plain"}},
		{name: "a call of nothing", method: "POST", path: connectPath + "Nothing", body: cellSearch, header: json},
		{name: "a stream as text", method: "POST", path: connectPath + "Ask", body: cellSearch, header: map[string]string{"Content-Type": "text/plain"}},
		{name: "a stream for a page of another name", method: "POST", path: connectPath + "Ask", body: cellSearch, header: map[string]string{"Content-Type": "application/connect+json"}, host: "evil.example"},
		{name: "a message packed as a whole", method: "POST", path: connectPath + "Search", body: "\x1f\x8b", header: map[string]string{"Content-Type": "application/json", "Content-Encoding": "gzip"}},
		{name: "lines of an absolute path", method: "POST", path: connectPath + "ReadLines", body: `{"path":"/etc/passwd"}`, header: json},
		{name: "lines of a link out", method: "POST", path: connectPath + "ReadLines", body: `{"path":"notes.md","first":1,"last":9}`, header: json},
		{name: "MCP for a page of another name", method: "POST", path: "/mcp", body: mcpHello, header: asMCP, host: "evil.example"},
		{name: "MCP from another origin", method: "POST", path: "/mcp", body: mcpHello, header: withHeader(asMCP, "Origin", "https://evil.example")},
		{name: "MCP as text", method: "POST", path: "/mcp", body: mcpHello, header: withHeader(asMCP, "Content-Type", "text/plain")},
		{name: "listening to MCP for a page of another name", method: "GET", path: "/mcp", header: map[string]string{"Accept": "text/event-stream"}, host: "evil.example"},
		{name: "listening to a session that is none", method: "GET", path: "/mcp", header: map[string]string{"Accept": "text/event-stream", "Mcp-Session-Id": "none"}},
		{name: "MCP in brackets", method: "POST", path: "/mcp", body: strings.Repeat("[", 200_000), header: asMCP},
		{name: "the page for another name", method: "GET", path: "/", host: "evil.example"},
		{name: "the health for another name", method: "GET", path: "/healthz", host: "evil.example"},
		{name: "a file of a document that is a path", method: "GET", path: "/documents/..%2f..%2fetc%2fpasswd/file"},
		{name: "a file of a document that is an absolute path", method: "GET", path: "/documents/%2fetc%2fpasswd/file"},
		{name: "an asset that is a path", method: "GET", path: "/assets/..%2f..%2fpage.go"},
		{name: "deleting across sites", method: "DELETE", path: "/documents/spec.md", header: map[string]string{"Sec-Fetch-Site": "cross-site"}},
		{name: "a preflight", method: "OPTIONS", path: "/documents", header: map[string]string{"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}},
	}
}

// send sends the request to a server and returns the answer and its whole body.
func (r request) send(ctx context.Context, c *http.Client, addr string) (*http.Response, string, error) {
	req, err := http.NewRequestWithContext(ctx, r.method, "http://"+addr+r.path, strings.NewReader(r.body))
	if err != nil {
		return nil, "", err
	}
	req.Host = r.host
	for k, v := range r.header {
		req.Header.Set(k, v)
	}
	res, err := c.Do(req)
	if err != nil {
		return nil, "", err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return res, string(text), err
}

// httpAttacks come as a web page or another client would.
func httpAttacks(*testing.T) []Attack {
	var out []Attack
	for _, r := range refused() {
		out = append(out, Attack{"http", r.name, "an error of the client's, nothing given away, and the server goes on", func(t *testing.T) {
			addr := httpServer(t)
			send := func(c *http.Client, r request) (int, string) {
				ctx, cancel := context.WithTimeout(t.Context(), deadline)
				defer cancel()
				res, text, err := r.send(ctx, c, addr)
				if err != nil {
					t.Fatal(err)
				}
				if res.Header.Get("Access-Control-Allow-Origin") != "" {
					t.Error("other origins are allowed")
				}
				return res.StatusCode, text
			}
			for _, c := range []*http.Client{http.DefaultClient, overHTTP2(t)} {
				if status, text := send(c, r); status < 400 || status >= 500 || leaks(text) != "" {
					t.Errorf("%d: %s", status, text)
				}
				if status, text := send(c, request{method: "POST", path: "/search", body: cellSearch, header: asJSON}); status != http.StatusOK {
					t.Errorf("a good request after it: %d: %s", status, text)
				}
			}
		}})
	}
	out = append(out, Attack{"http", "documents with secrets in their text and title", "masked in the answers to uploads and searches", func(t *testing.T) {
		addr := httpServer(t)
		for _, r := range []request{
			{method: "POST", path: "/documents?filename=notes.md", body: documents[".txt"](), header: map[string]string{"Content-Type": "text/markdown"}},
			{method: "POST", path: "/search", body: `{"query":"antenna calibration token"}`, header: asJSON},
		} {
			res, text, err := r.send(t.Context(), http.DefaultClient, addr)
			if err != nil || res.StatusCode >= 300 || !strings.Contains(text, "antenna") || leaks(text) != "" {
				t.Errorf("%s: %v, %s", r.path, err, text)
			}
		}
	}})
	out = append(out, Attack{"http", "an address of all networks without a token", "the server does not start, and says how it would", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), deadline)
		defer cancel()
		cmd := exec.CommandContext(ctx, program(t, "httpserver"), "-addr", ":0", "-dir", filepath.Join(t.TempDir(), "index"))
		text, err := cmd.CombinedOutput()
		if err == nil || ctx.Err() != nil || !strings.Contains(string(text), "token") {
			t.Errorf("%v: %s", err, text)
		}
	}})
	return out
}

package hostile

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// good starts the clients that must be answered right all the time: two on one HTTP server, one on the other, and two over standard input.
func (s *soak) good(wg *sync.WaitGroup, ctx context.Context, stdio *session) {
	s.every(wg, ctx, 1, 500*time.Millisecond, s.writeLive)
	for i, sv := range []*server{s.all[0], s.all[0], s.all[1]} {
		c, n := &http.Client{Transport: &http.Transport{}}, i*3
		wg.Go(func() {
			defer c.CloseIdleConnections()
			var own sync.WaitGroup
			s.every(&own, ctx, 1, 400*time.Millisecond, func() {
				known := questions[n%len(questions)]
				n++
				check := known.check(s)
				in, _ := json.Marshal(known.args) // strings
				s.ask(c, sv, "HTTP tools", request{method: "POST", path: "/tools/" + known.tool, body: string(in), header: asJSON}, check)
				s.ask(c, sv, "HTTP search", request{method: "POST", path: "/search", body: `{"query":"correlate the buffer"}`, header: asJSON}, has("spec.md"))
			})
			own.Wait()
		})
	}
	wg.Go(func() { // one that uploads, and finds what it uploaded
		c, n := &http.Client{Transport: &http.Transport{}}, 0
		defer c.CloseIdleConnections()
		var own sync.WaitGroup
		s.every(&own, ctx, 1, 2*time.Second, func() {
			n++
			name, word := fmt.Sprintf("note-%d.md", n%20), fmt.Sprintf("quokka%d", n)
			s.ask(c, s.all[0], "HTTP upload", request{method: "POST", path: "/documents?filename=" + name, body: "# Note\n\nThe word is " + word + ".\n", header: map[string]string{"Content-Type": "text/markdown"}}, has(name))
			s.ask(c, s.all[0], "HTTP search", request{method: "POST", path: "/search", body: `{"query":"` + word + `"}`, header: asJSON}, has(name))
			s.ask(c, s.all[0], "HTTP list of tools", request{method: "GET", path: "/tools"}, has(`"search_internal"`))
		})
		own.Wait()
	})
	n, notes := atomic.Int64{}, 0
	s.every(wg, ctx, 2, 250*time.Millisecond, func() {
		known := questions[int(n.Add(1))%len(questions)]
		stdio.call("MCP call", known.tool, known.args, known.check(s))
	})
	s.every(wg, ctx, 1, 2*time.Second, func() {
		stdio.ask("MCP list and ping", "tools/list", nil, has(`"search_internal"`))
		stdio.ask("MCP list and ping", "ping", nil, has(`"result":{}`))
		stdio.cancelled(1)
	})
	s.every(wg, ctx, 1, 15*time.Second, func() { // a document that changes on disk
		notes++
		word := fmt.Sprintf("wombat%d", notes)
		s.w.file(s.t, "docs/changing.md", "# Changing\n\nThe word is "+word+".\n")
		stdio.call("MCP index", "index", map[string]any{"paths": []string{s.w.docs}, "as": "documents"}, has("changing.md"))
		stdio.call("MCP call", "search_internal", map[string]any{"query": word}, has("changing.md"))
	})
}

// questions are calls of tools whose answers are known.
var questions = []struct {
	toolCall
	check func(*soak) func(string) error
}{
	{toolCall{"read", map[string]any{"path": "good.py"}}, always("Says that all is well.")},
	{toolCall{"view_file", map[string]any{"path": "live.py"}}, fresh},
	{toolCall{"search_entity", map[string]any{"query": "good"}}, always("good.py:good")},
	{toolCall{"traverse_graph", map[string]any{"id": "good.py:good", "direction": "out"}}, always("pkg/helper.py:help")},
	{toolCall{"retrieve_entity", map[string]any{"ids": []string{"pkg/helper.py"}}}, always("def help()")},
	{toolCall{"search_text", map[string]any{"pattern": "all is well"}}, always("good.py")},
	{toolCall{"search_text", map[string]any{"pattern": "^LIVE = ", "regexp": true}}, fresh},
	{toolCall{"search_internal", map[string]any{"query": "correlate the buffer"}}, always("spec.md")},
	{toolCall{"ask", map[string]any{"question": "what does good do?"}}, always("good.py")},
	{toolCall{"references", map[string]any{"symbol": "good"}}, always("good.py")},
}

func always(want string) func(*soak) func(string) error {
	return func(*soak) func(string) error { return has(want) }
}

func has(want string) func(string) error {
	return func(text string) error {
		if !strings.Contains(text, want) {
			return fmt.Errorf("no %q", want)
		}
		return nil
	}
}

var liveLine = regexp.MustCompile(`LIVE = (\d+)`)

// fresh wants repo/live.py as it was when the question was asked, or newer.
func fresh(s *soak) func(string) error {
	least := s.lines.Load()
	return func(text string) error {
		m := liveLine.FindStringSubmatch(text)
		if m == nil {
			return fmt.Errorf("no text of live.py")
		}
		if n, err := strconv.ParseInt(m[1], 10, 64); err != nil || n < least {
			return fmt.Errorf("live.py of %s, want %d or newer", m[1], least)
		}
		return nil
	}
}

// writeLive writes a file that is read meanwhile.
func (s *soak) writeLive() {
	n := s.lines.Load() + 1
	at := s.w.file(s.t, "fresh.py", fmt.Sprintf("LIVE = %d\n\ndef live():\n    return LIVE\n", n))
	if err := os.Rename(at, filepath.Join(s.w.repo, "live.py")); err != nil {
		s.t.Error(err)
	}
	s.lines.Store(n)
}

// ask sends a good request, as a client does that tries again when it is told to or lost its connection, and checks the answer.
func (s *soak) ask(c *http.Client, sv *server, kind string, r request, check func(string) error) {
	r.header = withToken(r.header, sv.token)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	began := time.Now()
	for {
		res, text, err := r.send(ctx, c, sv.addr)
		s.look(kind, text)
		switch {
		case ctx.Err() != nil:
			s.fault("no answer", "%s, %s: none after %s", kind, r.path, patience)
			return
		case err != nil:
			s.count("good: a connection was lost, and the request sent again")
			time.Sleep(50 * time.Millisecond)
		case res.StatusCode == http.StatusServiceUnavailable:
			s.count("good: told to come again (503)")
			time.Sleep(time.Second)
		default:
			if res.StatusCode != http.StatusOK && res.StatusCode != http.StatusCreated {
				err = fmt.Errorf("status %d", res.StatusCode)
			} else {
				err = check(text)
			}
			if err != nil {
				s.fault("a wrong answer", "%s, %s %s: %v: %s", kind, r.path, r.body, err, text)
			}
			s.answered(kind, time.Since(began))
			return
		}
	}
}

func withToken(header map[string]string, token string) map[string]string {
	out := map[string]string{}
	for k, v := range header {
		out[k] = v
	}
	if token != "" {
		out["Authorization"] = "Bearer " + token
	}
	return out
}

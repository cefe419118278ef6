package hostile

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// A session is one client's over standard input, who sends what it likes.
type session struct {
	s    *soak
	in   io.WriteCloser
	last atomic.Int64 // number of an id

	writing sync.Mutex // a line is written whole
	mu      sync.Mutex
	waiting map[string]chan string // answers by id
}

// greet begins a session.
func (s *soak) greet(in io.WriteCloser, out io.Reader) *session {
	m := &session{s: s, in: in, waiting: map[string]chan string{}}
	go m.read(out)
	m.send(hello)
	return m
}

func (m *session) send(lines string) {
	m.writing.Lock()
	defer m.writing.Unlock()
	if _, err := io.WriteString(m.in, lines+"\n"); err != nil {
		m.s.fault("no answer", "MCP: %v", err)
	}
}

// read gives the lines of the server to who waits for them.
func (m *session) read(out io.Reader) {
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		m.s.look("MCP", line)
		var head struct {
			ID any `json:"id"`
		}
		if line != "" && json.Unmarshal([]byte(line), &head) != nil {
			m.s.fault("a wrong answer", "MCP: a line that is no message: %s", line)
		}
		id, _ := head.ID.(string)
		m.mu.Lock()
		answer := m.waiting[id]
		delete(m.waiting, id)
		m.mu.Unlock()
		if answer != nil {
			answer <- line
		}
		if err != nil {
			return
		}
	}
}

// message makes a request with an id of its own.
func (m *session) message(method string, params any) (id, line string) {
	id = fmt.Sprintf("g%d", m.last.Add(1))
	data, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
	if err != nil {
		panic(err) // maps of strings
	}
	return id, string(data)
}

// reply sends a request and waits for its answer, which is empty if there is none.
func (m *session) reply(method string, params any) string {
	id, line := m.message(method, params)
	answer := make(chan string, 1)
	m.mu.Lock()
	m.waiting[id] = answer
	m.mu.Unlock()
	m.send(line)
	select {
	case text := <-answer:
		return text
	case <-time.After(patience):
		m.s.fault("no answer", "MCP %s: none after %s", method, patience)
		return ""
	}
}

// ask sends a good request and checks the answer. When the server is busy it tries again.
func (m *session) ask(kind, method string, params any, check func(string) error) {
	if params == nil {
		params = map[string]any{}
	}
	for began := time.Now(); ; time.Sleep(200 * time.Millisecond) {
		text := m.reply(method, params)
		if strings.Contains(text, `"isError":true`) && strings.Contains(text, ": busy: ") && time.Since(began) < patience {
			m.s.count("good: told that the MCP server is busy")
			continue
		}
		if text == "" {
			return
		}
		if err := check(text); err != nil || strings.Contains(text, `"isError":true`) {
			m.s.fault("a wrong answer", "MCP %s %v: %v: %s", method, params, err, text)
		}
		m.s.answered(kind, time.Since(began))
		return
	}
}

func called(tool string, args map[string]any) map[string]any {
	return map[string]any{"name": tool, "arguments": args}
}

func (m *session) call(kind, tool string, args map[string]any, check func(string) error) {
	m.ask(kind, "tools/call", called(tool, args), check)
}

// cancelled makes calls and cancels them at once.
func (m *session) cancelled(calls int) {
	var lines, cancels strings.Builder
	for range calls {
		id, line := m.message("tools/call", called("search_text", map[string]any{"pattern": "(a|b)+c", "regexp": true}))
		lines.WriteString(line + "\n")
		fmt.Fprintf(&cancels, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%q}}`+"\n", id)
	}
	m.send(strings.TrimSuffix(lines.String()+cancels.String(), "\n"))
}

// overMCP starts who misuses the good clients' session, and sessions of their own.
func (s *soak) overMCP(wg *sync.WaitGroup, ctx context.Context, stdio *session) {
	bad := badLines()
	var line, path, own int
	s.every(wg, ctx, 1, 500*time.Millisecond, func() {
		stdio.send(bad[line%len(bad)].line)
		line++
		s.count("MCP: lines that are no good messages")
	})
	s.every(wg, ctx, 1, 500*time.Millisecond, func() {
		p := paths[path%len(paths)].path
		if text := stdio.reply("tools/call", called("read", map[string]any{"path": p})); text != "" && !strings.Contains(text, `"isError":true`) {
			s.fault("something is given away", "MCP, read %q: %s", p, text)
		}
		stdio.reply("tools/call", called("view_file", map[string]any{"path": moving[path%len(moving)]})) // the answer is looked at
		path++
		s.count("MCP: reads of what may not be read, or is exchanged meanwhile")
	})
	s.every(wg, ctx, 1, 5*time.Second, func() {
		stdio.cancelled(60)
		s.count("MCP: storms of 60 calls that are cancelled at once")
	})
	s.every(wg, ctx, 1, 2*time.Second, func() {
		for _, h := range huge() {
			stdio.reply("tools/call", called(h.tool, h.args))
			s.count("MCP: calls with arguments of up to 900 KB, or nested 150 deep")
		}
	})
	s.every(wg, ctx, 1, 10*time.Second, func() {
		s.ownSession(own)
		own++
		s.count("MCP: sessions that end in the middle, or never read")
	})
}

// huge are calls whose arguments cost more than they look.
func huge() []toolCall {
	words, deep := strings.Repeat("word ", 180_000)+time.Now().String(), any("x")
	for range 150 {
		deep = []any{deep}
	}
	return []toolCall{
		{"search_text", map[string]any{"pattern": words}},
		{"search_text", map[string]any{"pattern": strings.Repeat("(a|b|ab)*", 900), "regexp": true}},
		{"search_entity", map[string]any{"query": words}},
		{"ask", map[string]any{"question": words}},
		{"read", map[string]any{"path": deep}},
	}
}

type toolCall struct {
	tool string
	args map[string]any
}

// ownSession starts a server for itself, and does not let it end in peace.
func (s *soak) ownSession(n int) {
	sv, in, out, err := s.launch("mcpserver", "mcpserver", "-profile", "full", "-dir", filepath.Join(s.w.base, "own", fmt.Sprint(n)), "-repo", s.w.repo)
	if err != nil {
		s.fault("no answer", "MCP: %v", err)
		return
	}
	late := time.AfterFunc(patience, func() { in.Close() }) // in case that it neither reads nor ends
	defer late.Stop()
	io.WriteString(in, hello)
	if _, err := out.Read(make([]byte, 1)); err != nil { // until it is there, SIGTERM ends it at once
		s.fault("no answer", "MCP: %v", err)
	}
	switch n % 3 {
	case 0: // no end of a line, and nobody reads
		io.WriteString(in, strings.Repeat("x", 32<<20))
		sv.end(s, "SIGTERM in a line", sv.terminate)
	case 1: // more calls than their answers are read
		sent := make(chan struct{})
		go func() {
			defer close(sent)
			io.WriteString(in, strings.Repeat(`{"jsonrpc":"2.0","id":"l","method":"tools/list"}`+"\n", 2000))
		}()
		time.Sleep(time.Second)
		sv.end(s, "SIGTERM while nobody reads", sv.terminate)
		<-sent
	case 2: // the client is gone
		io.WriteString(in, `{"jsonrpc":"2.0","id":1,"met`)
		out.Close()
		sv.end(s, "both pipes closed", in.Close)
	}
}

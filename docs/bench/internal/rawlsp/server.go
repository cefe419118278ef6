package rawlsp

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// maxMessage bounds one message of a server.
const maxMessage = 256 << 20

// Options of [Start].
type Options struct {
	Init     any            // initializationOptions
	Settings map[string]any // for workspace/configuration
	ReadyLog *regexp.Regexp // a line of the log without which the server counts as busy; nil: none
	Timeout  time.Duration  // of each request
	Env      []string       // added to this program's environment
	Verbose  bool           // what the server writes goes to stderr
}

// A Server is a running language server.
type Server struct {
	Texts  *Texts
	Opened map[string]int // files it was shown, by their order from 1

	cmd      *exec.Cmd
	in       io.WriteCloser
	out      *bufio.Reader
	root     string // absolute
	settings map[string]any
	readyLog *regexp.Regexp
	timeout  time.Duration
	encoding string
	verbose  bool

	writeMu sync.Mutex

	mu       sync.Mutex // guards what follows
	next     int
	waiting  map[int]chan answer
	working  map[string]string // titles of the work under way, by token
	moved    time.Time         // when work last began or ended
	starting bool              // a server with a status of its own has not said that it is ready
	logged   bool              // what readyLog waits for was logged
	dead     error
}

type answer struct {
	result json.RawMessage
	err    error
}

type message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// Start runs a command in the folder root, an absolute path, and shakes hands.
func Start(command []string, root string, o *Options) (*Server, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), o.Env...)
	inGroup(cmd)
	if o.Verbose {
		cmd.Stderr = os.Stderr
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &Server{Texts: NewTexts(root), Opened: map[string]int{}, cmd: cmd, in: in, out: bufio.NewReaderSize(out, 1<<16), root: root, settings: o.Settings, readyLog: o.ReadyLog,
		timeout: o.Timeout, encoding: "utf-16", waiting: map[int]chan answer{}, working: map[string]string{}, moved: time.Now(),
		verbose: o.Verbose}
	go s.read()
	var res struct {
		Capabilities struct {
			PositionEncoding string `json:"positionEncoding"`
		} `json:"capabilities"`
	}
	params := map[string]any{
		"processId": os.Getpid(), "rootPath": root, "rootUri": URI(root),
		"workspaceFolders":      []map[string]string{{"uri": URI(root), "name": filepath.Base(root)}},
		"initializationOptions": o.Init,
		"capabilities": map[string]any{
			"general": map[string]any{"positionEncodings": []string{"utf-8", "utf-16"}},
			"window":  map[string]any{"workDoneProgress": true},
			"workspace": map[string]any{"configuration": true, "workspaceFolders": true,
				"didChangeConfiguration": map[string]any{"dynamicRegistration": true}},
			"textDocument": map[string]any{
				"references":     map[string]any{},
				"definition":     map[string]any{"linkSupport": true},
				"documentSymbol": map[string]any{"hierarchicalDocumentSymbolSupport": true},
			},
		},
	}
	if err := s.Call("initialize", params, &res); err != nil {
		s.Stop()
		return nil, err
	}
	if res.Capabilities.PositionEncoding != "" {
		s.encoding = res.Capabilities.PositionEncoding
	}
	if err := s.send(map[string]any{"jsonrpc": "2.0", "method": "initialized", "params": map[string]any{}}); err != nil {
		s.Stop()
		return nil, err
	}
	if o.Settings != nil {
		if err := s.Notify("workspace/didChangeConfiguration", map[string]any{"settings": o.Settings}); err != nil {
			s.Stop()
			return nil, err
		}
	}
	return s, nil
}

// Stop ends the server and what it started.
func (s *Server) Stop() {
	s.timeout = 3 * time.Second
	if s.Call("shutdown", nil, nil) == nil {
		s.Notify("exit", nil) //nolint:errcheck // it is killed in any case
	}
	time.Sleep(200 * time.Millisecond)
	kill(s.cmd)
	s.cmd.Wait() //nolint:errcheck // it was killed
}

func (s *Server) send(m any) error {
	b, err := json.Marshal(m)
	if err != nil {
		return err
	}
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	_, err = fmt.Fprintf(s.in, "Content-Length: %d\r\n\r\n%s", len(b), b)
	return err
}

// Notify tells the server something.
func (s *Server) Notify(method string, params any) error {
	return s.send(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

// contentModified and the others are errors with which a server gives a question up because of its own work.
const contentModified, serverCancelled, requestCancelled = -32801, -32802, -32800

// Call asks one thing; a question that the server gave up is asked again.
func (s *Server) Call(method string, params, result any) error {
	end := time.Now().Add(s.timeout)
	for {
		s.mu.Lock()
		if s.dead != nil {
			s.mu.Unlock()
			return s.dead
		}
		s.next++
		id := s.next
		c := make(chan answer, 1)
		s.waiting[id] = c
		s.mu.Unlock()
		if err := s.send(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params}); err != nil {
			return err
		}
		select {
		case a := <-c:
			var again *giveUp
			if errors.As(a.err, &again) && time.Now().Before(end) {
				time.Sleep(100 * time.Millisecond)
				continue
			}
			if a.err != nil {
				return fmt.Errorf("%s: %w", method, a.err)
			}
			if result == nil {
				return nil
			}
			return json.Unmarshal(a.result, result)
		case <-time.After(time.Until(end)):
			s.mu.Lock()
			delete(s.waiting, id)
			s.mu.Unlock()
			return fmt.Errorf("%s: no answer in %v", method, s.timeout)
		}
	}
}

type giveUp struct{ text string }

func (g *giveUp) Error() string { return g.text }

// read takes all messages until the server ends.
func (s *Server) read() {
	err := s.messages()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dead = fmt.Errorf("the server has ended: %w", err)
	for id, c := range s.waiting {
		c <- answer{err: s.dead}
		delete(s.waiting, id)
	}
}

func (s *Server) messages() error {
	for {
		head, err := textproto.NewReader(s.out).ReadMIMEHeader()
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(head.Get("Content-Length"))
		if err != nil || n < 0 || n > maxMessage {
			return fmt.Errorf("a message of %q bytes", head.Get("Content-Length"))
		}
		b := make([]byte, n)
		if _, err := io.ReadFull(s.out, b); err != nil {
			return err
		}
		var m message
		if err := json.Unmarshal(b, &m); err != nil {
			return err
		}
		switch {
		case m.Method != "" && m.ID != nil:
			if err := s.send(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": s.serve(m.Method, m.Params)}); err != nil {
				return err
			}
		case m.Method != "":
			s.notice(m.Method, m.Params)
		default:
			s.answered(&m)
		}
	}
}

func (s *Server) answered(m *message) {
	id, err := strconv.Atoi(string(m.ID))
	if err != nil {
		return // an answer to nothing we asked
	}
	a := answer{result: m.Result}
	if m.Error != nil {
		a.err = errors.New(m.Error.Message)
		if m.Error.Code == contentModified || m.Error.Code == serverCancelled || m.Error.Code == requestCancelled {
			a.err = &giveUp{m.Error.Message}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.waiting[id]; c != nil {
		c <- a
		delete(s.waiting, id)
	}
}

// serve answers what the server asks.
func (s *Server) serve(method string, params json.RawMessage) any {
	switch method {
	case "workspace/configuration":
		var p struct {
			Items []struct {
				Section string `json:"section"`
			} `json:"items"`
		}
		if json.Unmarshal(params, &p) != nil {
			return nil
		}
		out := make([]any, len(p.Items))
		for i, it := range p.Items {
			var at any = s.settings
			for part := range strings.SplitSeq(it.Section, ".") {
				m, _ := at.(map[string]any)
				if it.Section != "" {
					at = m[part]
				}
			}
			out[i] = at
		}
		return out
	case "workspace/workspaceFolders":
		return []map[string]string{{"uri": URI(s.root), "name": filepath.Base(s.root)}}
	case "workspace/applyEdit":
		return map[string]any{"applied": false}
	}
	return nil
}

// notice follows what the server says about its work.
func (s *Server) notice(method string, params json.RawMessage) {
	var p struct {
		Token json.RawMessage `json:"token"`
		Value struct {
			Kind  string `json:"kind"`
			Title string `json:"title"`
		} `json:"value"`
		Type    any    `json:"type"`
		Message string `json:"message"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch method {
	case "$/progress":
		switch s.moved = time.Now(); p.Value.Kind {
		case "begin":
			s.working[string(p.Token)] = p.Value.Title
		case "end":
			delete(s.working, string(p.Token))
		}
	case "language/status": // jdtls
		s.moved, s.starting = time.Now(), p.Type != "ServiceReady"
	case "window/logMessage":
		if s.verbose {
			fmt.Fprintln(os.Stderr, "server:", strings.TrimSpace(p.Message))
		}
		s.logged = s.logged || s.readyLog != nil && s.readyLog.MatchString(p.Message)
	}
}

// Busy says what the server is waited for, "" for nothing.
func (s *Server) Busy() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.dead != nil:
		return "", s.dead
	case s.starting:
		return "its status", nil
	case s.readyLog != nil && !s.logged:
		return "a line of its log", nil
	}
	for _, title := range s.working {
		return title, nil
	}
	if time.Since(s.moved) < 2*time.Second {
		return "the end of its work", nil
	}
	return "", nil
}

// Settle waits until the server has no work under way.
func (s *Server) Settle(limit time.Duration) error {
	end := time.Now().Add(limit)
	for {
		what, err := s.Busy()
		if err != nil || what == "" {
			return err
		}
		if time.Now().After(end) {
			return fmt.Errorf("the server is not ready after %v: waiting for %s", limit, what)
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// Open shows the server a file, once. The path is relative to the root.
func (s *Server) Open(path string) error {
	if s.Opened[path] > 0 {
		return nil
	}
	s.Opened[path] = len(s.Opened) + 1
	b, _ := s.Texts.Of(path)
	return s.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": s.URI(path), "languageId": languageID(path), "version": 1, "text": string(b)}})
}

func languageID(p string) string {
	ids := map[string]string{".go": "go", ".py": "python", ".pyi": "python", ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript",
		".jsx": "javascriptreact", ".ts": "typescript", ".mts": "typescript", ".cts": "typescript", ".tsx": "typescriptreact",
		".rs": "rust", ".java": "java", ".c": "c"}
	return cmp.Or(ids[strings.ToLower(filepath.Ext(p))], "cpp")
}

// URI of a file of the root.
func (s *Server) URI(path string) string { return URI(filepath.Join(s.root, filepath.FromSlash(path))) }

// UTF16 reports whether the server counts columns in UTF-16; else it counts bytes.
func (s *Server) UTF16() bool { return s.encoding != "utf-8" }

// A Position of the protocol, from 0.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// A Range of the protocol.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// At makes the parameters of a question about a place: line and column in bytes, from 1.
func (s *Server) At(path string, line, col int) map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": s.URI(path)},
		"position": Position{line - 1, s.Texts.Units(path, line, col, s.UTF16())}}
}

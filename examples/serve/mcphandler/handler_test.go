package mcphandler

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/internal/leak"
)

// TestDefinitions: every tool of every profile says to a client what it is.
func TestDefinitions(t *testing.T) {
	ws := workspace(t, nil)
	for _, profile := range append(findspot.Profiles(), "") {
		h := handler(t, ws, &Options{Tools: findspot.ToolsOptions{Profile: profile, WriteDir: t.TempDir(), Command: &findspot.CommandOptions{Dir: t.TempDir()}, MarkPDF: &findspot.MarkOptions{}}})
		list, err := connect(t, h, nil).ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if (profile == "" || profile == findspot.ProfileCompact) != (len(list.Tools) == 10) {
			t.Errorf("profile %q has %d tools", profile, len(list.Tools))
		}
		if list.CacheScope != "private" {
			t.Errorf("what one user is told may be kept for others: %q", list.CacheScope)
		}
		for _, tool := range list.Tools {
			writes := tool.Name == "write_file" || tool.Name == "run_command"
			if tool.Title == "" || tool.Title == tool.Name || strings.Contains(tool.Title, "_") {
				t.Errorf("%s has the title %q", tool.Name, tool.Title)
			}
			a := tool.Annotations
			if a == nil || a.ReadOnlyHint != (!writes && tool.Name != "index") {
				t.Errorf("%s: annotations %+v", tool.Name, a)
			}
			if form := !writes && tool.Name != "lsp_hover"; (tool.OutputSchema != nil) != form {
				t.Errorf("%s: output schema %v, want one: %v", tool.Name, tool.OutputSchema, form)
			}
		}
		for _, name := range []string{"index", "write_file"} {
			i := slices.IndexFunc(list.Tools, func(t *mcp.Tool) bool { return t.Name == name })
			if a := list.Tools[i].Annotations; name == "index" && (a.DestructiveHint == nil || *a.DestructiveHint || !a.IdempotentHint) || name == "write_file" && a.DestructiveHint != nil && !*a.DestructiveHint {
				t.Errorf("%s: annotations %+v", name, a)
			}
		}
	}
	for _, tool := range findspot.DescribeTools(&findspot.ToolsOptions{Profile: findspot.ProfileAliases, WriteDir: "x", Command: &findspot.CommandOptions{}, MarkPDF: &findspot.MarkOptions{Writes: true}}) {
		if titles[tool.Name] == "" && titles[tool.AliasOf] == "" {
			t.Errorf("%s has no title of its own", tool.Name)
		}
	}
}

// TestAnswers: an answer has a text and a structured form that fits the schema and is no longer.
func TestAnswers(t *testing.T) {
	s := connect(t, handler(t, workspace(t, nil), nil), nil)
	for name, args := range map[string]map[string]any{
		"search_internal": {"query": "primary synchronization signal"}, "search_entity": {"query": "detect_pss"}, "references": {"symbol": "detect_pss"}, "index": {},
		"traverse_graph": {"ids": []string{"receiver/pss.py:detect_pss"}}, "search_text": {"pattern": "detect"}, "read": {"entity": "receiver/pss.py:detect_pss"},
	} {
		res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
		if err != nil || res.IsError {
			t.Fatalf("%s: %v, %s", name, err, textOf(res))
		}
		data, err := json.Marshal(res.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		var form struct {
			Head, Text, Cut, Verdict string
			Items                    map[string]string
		}
		if err := json.Unmarshal(data, &form); err != nil || form.Head == "" && form.Text == "" && len(form.Items) == 0 {
			t.Errorf("%s: structured form %s: %v", name, data, err)
		}
		if len(data) > len(textOf(res)) {
			t.Errorf("%s: the structured form has %d bytes, the text %d", name, len(data), len(textOf(res)))
		}
	}
	if res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "search_entity", Arguments: map[string]any{"qery": "x"}}); err != nil || !res.IsError || res.StructuredContent != nil {
		t.Errorf("a wrong argument = %+v, %v", res, err)
	}
	if _, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "no_such_tool"}); err == nil || !strings.Contains(err.Error(), "unknown tool") {
		t.Errorf("a tool that is not there = %v", err)
	}
}

// TestSessionsAreApart: keys and the last find are a session's own.
func TestSessionsAreApart(t *testing.T) {
	h := handler(t, workspace(t, nil), nil)
	call := func(s *mcp.ClientSession, name string, args map[string]any) string {
		t.Helper()
		res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
		if err != nil {
			t.Fatal(err)
		}
		return textOf(res)
	}
	one, two := connect(t, h, nil), connect(t, h, nil)
	call(one, "search_entity", map[string]any{"query": "detect_pss"})
	if got := call(two, "read", nil); !strings.Contains(got, "nothing was found in this run") {
		t.Errorf("the second session reads what the first one found: %s", got)
	}
	if got := call(two, "search_entity", map[string]any{"query": "CellSearcher"}); !strings.Contains(got, "[C1]") {
		t.Errorf("the keys of the second session go on from the first: %s", got)
	}
	if got := call(one, "read", nil); !strings.Contains(got, "def detect_pss") {
		t.Errorf("read = %s", got)
	}
}

func TestNewRefuses(t *testing.T) {
	ws := workspace(t, nil)
	for want, o := range map[string]*Options{
		`profile "none": there are full, compact, aliases`: {Tools: findspot.ToolsOptions{Profile: "none"}},
		`skill "none": file does not exist; there are`:     {Skill: "none"},
		`symbol`: {Skill: "who-calls"}, // an input is missing
	} {
		if h, err := New(ws, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("New(%+v) = %v, %v, want %q", o, h, err, want)
		}
	}
}

// told collects what a client is told.
type told struct {
	mu       sync.Mutex
	progress []mcp.ProgressNotificationParams
	logs     []mcp.LoggingMessageParams
}

func (l *told) options() *mcp.ClientOptions {
	return &mcp.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.progress = append(l.progress, *r.Params)
		},
		LoggingMessageHandler: func(_ context.Context, r *mcp.LoggingMessageRequest) {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.logs = append(l.logs, *r.Params)
		},
	}
}

func (l *told) seen() ([]mcp.ProgressNotificationParams, []mcp.LoggingMessageParams) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.progress), slices.Clone(l.logs)
}

// eventually waits until ok, for what another goroutine does.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patient); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within %s", what, patient)
		}
	}
}

// TestProgress: a call that waits for the sources tells its client how far they are read, ever more, and nothing once it is answered.
func TestProgress(t *testing.T) {
	leak.Check(t)
	feed := NewFeed(nil)
	ready := make(chan error)
	h := handler(t, workspace(t, nil), &Options{Feed: feed, Ready: ready})
	var l told
	s := connect(t, h, l.options())
	answered := make(chan *mcp.CallToolResult)
	go func() {
		params := &mcp.CallToolParams{Name: "search_entity", Arguments: map[string]any{"query": "detect_pss"}}
		params.SetProgressToken("one")
		res, err := s.CallTool(context.WithoutCancel(t.Context()), params)
		if err != nil {
			t.Error(err)
		}
		answered <- res
	}()
	steps := []findspot.Progress{{Room: "docs", Name: "a.pdf", Done: 1, Total: 2, Page: 3, Pages: 9}, {Room: "docs", Done: 2, Total: 2}, {Room: "code", Name: "x.py", Done: 1, Total: 10}, {Room: "code", Done: 10, Total: 10}}
	for i, p := range steps {
		feed.Progress(p)
		eventually(t, "a notification", func() bool {
			feed.Progress(p)
			got, _ := l.seen()
			return len(got) > i
		})
	}
	select {
	case res := <-answered:
		t.Fatalf("the call was answered before the sources were read: %s", textOf(res))
	default:
	}
	close(ready)
	if res := <-answered; res.IsError || !strings.Contains(textOf(res), "detect_pss") {
		t.Errorf("the call = %s", textOf(res))
	}
	got, _ := l.seen()
	feed.Progress(findspot.Progress{Room: "code", Done: 11, Total: 20})
	time.Sleep(reportEvery * 3 / 2) // too short a time makes the test weaker, not wrong
	if later, _ := l.seen(); len(later) != len(got) {
		t.Errorf("%d notifications after the answer", len(later)-len(got))
	}
	last := 0.0
	for _, p := range got {
		if p.ProgressToken != "one" || p.Progress <= last || p.Total != 0 && p.Total < p.Progress || p.Message == "" {
			t.Errorf("progress %+v after %v", p, last)
		}
		last = p.Progress
	}
	if m := got[0].Message; m != "reading documents: 1 of 2, a.pdf" {
		t.Errorf("the first message is %q", m)
	}
	if end := got[len(got)-1]; end.Progress != 12 || end.Total != 12 {
		t.Errorf("the last notification is %+v, want 12 of 12: two documents and ten files", end)
	}
}

// TestSourcesFail: calls say why the sources could not be read.
func TestSourcesFail(t *testing.T) {
	ready := make(chan error, 1)
	ready <- errors.New("the disk is gone")
	s := connect(t, handler(t, workspace(t, nil), &Options{Ready: ready}), nil)
	for range 2 {
		if res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "index"}); err != nil || !res.IsError || !strings.Contains(textOf(res), "the disk is gone") {
			t.Errorf("a call = %+v, %v", res, err)
		}
	}
	if _, err := s.ListResources(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "the disk is gone") {
		t.Errorf("ListResources = %v", err)
	}
}

// TestCancel: a call that the client gives up ends on the server too.
func TestCancel(t *testing.T) {
	leak.Check(t)
	h := handler(t, workspace(t, nil), nil)
	began, ended := make(chan struct{}), make(chan error, 1)
	h.server.AddTool(&mcp.Tool{Name: "slow", InputSchema: form(nil)}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return h.calls.do(ctx, "slow", func(ctx context.Context) (*mcp.CallToolResult, error) {
			close(began)
			<-ctx.Done()
			ended <- context.Cause(ctx)
			return nil, ctx.Err()
		})
	})
	s := connect(t, h, nil)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-began; cancel() }()
	if _, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "slow"}); err == nil {
		t.Error("a call that was given up has an answer")
	}
	select {
	case <-ended:
	case <-time.After(patient):
		t.Fatal("the call goes on")
	}
}

// TestCloseEndsCalls: closing the handler ends sessions and calls under way.
func TestCloseEndsCalls(t *testing.T) {
	leak.Check(t)
	ws := workspace(t, nil)
	h, err := New(ws, &Options{Ready: make(chan error)}) // never read
	if err != nil {
		t.Fatal(err)
	}
	here, there := mcp.NewInMemoryTransports()
	done := make(chan error, 1)
	go func() { done <- h.Run(context.Background(), there) }()
	s, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	call := make(chan error, 1)
	go func() {
		_, err := s.CallTool(context.Background(), &mcp.CallToolParams{Name: "index"})
		call <- err
	}()
	eventually(t, "the call", func() bool { return len(h.calls.all) == 1 })
	if err := h.Close(); err != nil {
		t.Error(err)
	}
	if err := <-done; err != nil {
		t.Errorf("Run = %v", err)
	}
	if err := <-call; err == nil {
		t.Error("the call has an answer")
	}
}

// TestLog: a client gets the messages of the level that it sets, and none before.
func TestLog(t *testing.T) {
	leak.Check(t)
	var own strings.Builder
	feed := NewFeed(slog.New(slog.NewTextHandler(&own, &slog.HandlerOptions{Level: slog.LevelWarn})))
	h := handler(t, workspace(t, nil), &Options{Feed: feed})
	var l told
	s := connect(t, h, l.options())
	log := feed.Logger().With("room", "docs").WithGroup("g")
	log.Info("before")
	if err := s.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "notice"}); err != nil {
		t.Fatal(err)
	}
	log.Info("too little")
	log.Warn("a fault", "n", 3, "long", strings.Repeat("x", 5000))
	eventually(t, "a message", func() bool { _, logs := l.seen(); return len(logs) == 1 })
	if err := s.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "debug"}); err != nil {
		t.Fatal(err)
	}
	log.Debug("much")
	eventually(t, "a message", func() bool { _, logs := l.seen(); return len(logs) == 2 })
	_, logs := l.seen()
	want := []string{"warning map[g.long:" + strings.Repeat("x", maxLogValue) + "... g.n:3 message:a fault room:docs]", "debug map[message:much room:docs]"}
	var got []string
	for _, m := range logs {
		got = append(got, fmt.Sprint(m.Level, " ", m.Data))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !strings.Contains(own.String(), "a fault") || strings.Contains(own.String(), "much") {
		t.Errorf("the program's own log: %s", own.String())
	}
}

// TestLogDoesNotWait: a client that reads nothing stops nobody.
func TestLogDoesNotWait(t *testing.T) {
	p := &pump{queue: make(chan *logged, maxLogWaits)}
	f := NewFeed(nil)
	f.pumps[p] = true
	p.level = slog.LevelInfo
	for range 2 * maxLogWaits {
		f.Logger().Info("x")
	}
	if len(p.queue) != maxLogWaits {
		t.Errorf("%d messages wait", len(p.queue))
	}
}

// TestPrompts: skills as prompts, with their inputs.
func TestPrompts(t *testing.T) {
	ws := workspace(t, nil)
	s := connect(t, handler(t, ws, nil), nil)
	list, err := s.ListPrompts(t.Context(), nil)
	if err != nil || len(list.Prompts) != len(ws.Skills()) {
		t.Fatalf("%d prompts, %v, want one a skill", len(list.Prompts), err)
	}
	i := slices.IndexFunc(list.Prompts, func(p *mcp.Prompt) bool { return p.Name == "who-calls" })
	p := list.Prompts[i]
	if p.Title != "Who calls" || len(p.Arguments) != 1 || p.Arguments[0].Name != "symbol" || !p.Arguments[0].Required || p.Arguments[0].Description != "string" {
		t.Errorf("prompt %+v, %+v", p, p.Arguments)
	}
	res, err := s.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "who-calls", Arguments: map[string]string{"symbol": "detect_pss"}})
	if err != nil {
		t.Fatal(err)
	}
	text := res.Messages[0].Content.(*mcp.TextContent).Text
	for _, want := range []string{"Follow the skill who-calls", "- symbol: detect_pss", "Start at the definition"} {
		if !strings.Contains(text, want) {
			t.Errorf("the prompt has no %q: %s", want, text)
		}
	}
	for _, bad := range []map[string]string{nil, {"symbol": "x", "other": "y"}, {"symbol": strings.Repeat("x", maxInput+1)}} {
		if _, err := s.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "who-calls", Arguments: bad}); err == nil {
			t.Errorf("GetPrompt with %.50v: no error", bad)
		}
	}
	active := connect(t, handler(t, ws, &Options{Skill: "who-calls", Inputs: map[string]any{"symbol": "detect_pss"}}), nil)
	if res, err = active.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "who-calls", Arguments: map[string]string{"symbol": "detect_pss"}}); err != nil || !strings.Contains(res.Messages[0].Content.(*mcp.TextContent).Text, "call run_skill") {
		t.Errorf("the prompt of the active skill: %+v, %v", res, err)
	}
}

// TestRoots: a client's folder is indexed when its person agrees, and never otherwise.
func TestRoots(t *testing.T) {
	yes := func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"index": true}}, nil
	}
	for _, tt := range []struct {
		name   string
		answer func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error)
		http   bool
		o      func(folder string) *Options
		added  bool
	}{
		{"agreed", yes, false, nil, true},
		{"declined", func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "decline"}, nil
		}, false, nil, false},
		{"answered no", func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"index": false}}, nil
		}, false, nil, false},
		{"nobody can be asked", nil, false, nil, false},
		{"over HTTP", yes, true, nil, false},
		{"over HTTP, of an allowed folder", yes, true, func(f string) *Options {
			return &Options{Tools: findspot.ToolsOptions{IndexRoots: []string{filepath.Dir(f)}}}
		}, true},
		{"over HTTP, of the server's own user", yes, true, func(string) *Options { return &Options{AnyRoot: true} }, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			leak.Check(t)
			folder := filepath.Join(t.TempDir(), "its project")
			if err := os.Mkdir(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(folder, "a.py"), []byte("def of_the_root():\n    pass\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			ws := workspace(t, nil)
			o := &Options{}
			if tt.o != nil {
				o = tt.o(folder)
			}
			var log syncLog
			o.Logger = slog.New(slog.NewTextHandler(&log, nil))
			h := handler(t, ws, o)
			asked := make(chan string, 10)
			co := &mcp.ClientOptions{}
			if tt.answer != nil {
				co.ElicitationHandler = func(ctx context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					asked <- r.Params.Message
					return tt.answer(ctx, r)
				}
			}
			c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, co)
			c.AddRoots(&mcp.Root{URI: "file://" + strings.ReplaceAll(filepath.ToSlash(folder), " ", "%20")}, &mcp.Root{URI: "https://example.org/"}, &mcp.Root{URI: "file:///"})
			if tt.http {
				connectHTTP(t, h, c)
			} else {
				connectTo(t, h, c)
			}
			eventually(t, "an end of it", func() bool {
				repos, err := ws.Repos()
				return err == nil && (len(repos) == 2 || strings.Contains(log.String(), "not indexed") || strings.Contains(log.String(), "may index"))
			})
			repos, err := ws.Repos()
			if err != nil || (len(repos) == 2) != tt.added {
				t.Errorf("%d repositories, %v, want the root: %v\n%s", len(repos), err, tt.added, log.String())
			}
			wantAsked := tt.answer != nil && (!tt.http || tt.o != nil)
			if (len(asked) == 1) != wantAsked {
				t.Errorf("asked %d times, want %v", len(asked), wantAsked)
			}
			if wantAsked {
				if m := <-asked; !strings.Contains(m, folder) || strings.Contains(m, "example.org") || strings.HasSuffix(m, "\n/") {
					t.Errorf("the question is %q", m)
				}
			}
		})
	}
}

type syncLog struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *syncLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *syncLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func TestFolderOf(t *testing.T) {
	home, err := os.UserHomeDir()
	if err != nil {
		t.Skip(err)
	}
	file := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"file://" + home, "file://" + filepath.Dir(home), "file:///", "file://other/tmp", "file:tmp", "http://x/", "file://" + file, "file:///no/such/folder", "", "%"} {
		if got, err := folderOf(bad); err == nil {
			t.Errorf("folderOf(%q) = %q, want an error", bad, got)
		}
	}
}

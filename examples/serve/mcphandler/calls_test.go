package mcphandler

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/findspot/findspot/internal/leak"
)

// patient is when a test gives up on what must not hang.
const patient = 60 * time.Second

func text(res *mcp.CallToolResult) string { return res.Content[0].(*mcp.TextContent).Text }

func answered(context.Context) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "here"}}}, nil
}

func ready(timeout time.Duration, log *bytes.Buffer) *calls {
	return newCalls(context.Background(), slog.New(slog.NewTextHandler(log, nil)), timeout, nil)
}

func TestPanicIsAnAnswer(t *testing.T) {
	leak.Check(t)
	var log bytes.Buffer
	c := ready(time.Minute, &log)
	res, err := c.do(t.Context(), "search", func(context.Context) (*mcp.CallToolResult, error) { panic("index 3 of 2") })
	if err != nil || !res.IsError || !strings.Contains(text(res), "search: an internal error") || strings.Contains(text(res), "index 3") {
		t.Errorf("a tool that panics = %+v, %v", res, err)
	}
	if !strings.Contains(log.String(), "index 3 of 2") || !strings.Contains(log.String(), "TestPanicIsAnAnswer") {
		t.Errorf("the log has no stack: %s", &log)
	}
	h := &Handler{calls: c, closed: t.Context()}
	_, err = h.middleware(func(context.Context, string, mcp.Request) (mcp.Result, error) { panic("xyz") })(t.Context(), "tools/list", &mcp.ListToolsRequest{})
	if err == nil || !strings.Contains(err.Error(), "tools/list: an internal error") || strings.Contains(err.Error(), "xyz") {
		t.Errorf("a method that panics = %v, want an error", err)
	}
	for range 2 * maxRunning { // its place is free again
		if res, err := c.do(t.Context(), "search", answered); err != nil || res.IsError {
			t.Fatalf("the next call = %+v, %v", res, err)
		}
	}
	c.ended()
}

func TestCallsAreBounded(t *testing.T) {
	leak.Check(t)
	c := ready(0, &bytes.Buffer{})
	started, free := make(chan struct{}, 1000), make(chan struct{})
	results := make(chan *mcp.CallToolResult, 1000)
	for range maxRunning + maxWaiting {
		go func() {
			res, err := c.do(t.Context(), "slow", func(context.Context) (*mcp.CallToolResult, error) {
				started <- struct{}{}
				<-free
				return &mcp.CallToolResult{}, nil
			})
			if err != nil {
				t.Error(err)
			}
			results <- res
		}()
	}
	for deadline := time.Now().Add(patient); len(c.all) < cap(c.all); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d calls are under way", len(c.all))
		}
	}
	res, err := c.do(t.Context(), "slow", answered)
	if err != nil || !res.IsError || !strings.Contains(text(res), "busy: try again") {
		t.Errorf("a call too many = %+v, %v", res, err)
	}
	for range maxRunning {
		<-started
	}
	if n := len(started); n != 0 {
		t.Errorf("%d calls run at once, want %d", maxRunning+n, maxRunning)
	}
	close(free)
	for range maxRunning + maxWaiting {
		if res := <-results; res.IsError {
			t.Errorf("a call that waited = %s", text(res))
		}
	}
	c.ended()
}

func TestCallsHaveATime(t *testing.T) {
	leak.Check(t)
	var log bytes.Buffer
	heeds := func(ctx context.Context) (*mcp.CallToolResult, error) { <-ctx.Done(); return failed(ctx.Err()), nil }
	c := ready(20*time.Millisecond, &log)
	res, err := c.do(t.Context(), "slow", heeds)
	if err != nil || !res.IsError || !strings.Contains(text(res), "start the server with a longer -timeout") {
		t.Errorf("a slow call = %+v, %v", res, err)
	}
	free := make(chan struct{})
	res, err = c.do(t.Context(), "deaf", func(context.Context) (*mcp.CallToolResult, error) { <-free; return &mcp.CallToolResult{}, nil })
	if err != nil || !res.IsError || !strings.Contains(log.String(), "tool=deaf") {
		t.Errorf("a call that heeds nothing = %+v, %v, log %s", res, err, &log)
	}
	close(free)
	c.ended()

	never, stop := context.WithCancel(t.Context())
	c = newCalls(never, slog.New(slog.DiscardHandler), 20*time.Millisecond, make(chan error))
	res, err = c.do(t.Context(), "early", answered)
	if err != nil || !res.IsError || !strings.Contains(text(res), "the sources are still being read after 20ms") {
		t.Errorf("a call before the sources = %+v, %v", res, err)
	}

	stop()
	c.ended()

	c = ready(time.Hour, &log)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := c.do(ctx, "given up", heeds); !errors.Is(err, context.Canceled) {
		t.Errorf("a call that the client cancels = %v", err)
	}
	c.ended()
}

func TestScope(t *testing.T) {
	for _, tt := range []struct{ repos, docs, roots, onlyRepos, onlyDocs []string }{
		{},
		{roots: []string{"r"}},
		{repos: []string{"a"}, onlyRepos: []string{"a"}, onlyDocs: []string{"a"}},
		{docs: []string{"d"}, onlyRepos: []string{"d"}, onlyDocs: []string{"d"}},
		{[]string{"a", "b"}, []string{"d"}, []string{"r"}, []string{"a", "b", "r"}, []string{"d", "r"}},
	} {
		repos, docs := Sources{Docs: tt.docs, Repos: tt.repos, IndexRoots: tt.roots}.Scope()
		if diff := cmp.Diff([][]string{tt.onlyRepos, tt.onlyDocs}, [][]string{repos, docs}); diff != "" {
			t.Errorf("Scope of %v, %v, %v (-want +got):\n%s", tt.repos, tt.docs, tt.roots, diff)
		}
	}
}

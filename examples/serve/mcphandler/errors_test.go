package mcphandler

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/internal/leak"
	"github.com/findspot/findspot/skill"
)

// logText is a log that goroutines write and a test reads.
type logText struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logText) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// TestErrorsOfTheHost: a client over HTTP gets a number for them, one of standard input the error itself.
func TestErrorsOfTheHost(t *testing.T) {
	leak.Check(t)
	ws := workspace(t, nil)
	repos, err := ws.Repos()
	if err != nil || len(repos) != 1 {
		t.Fatal(repos, err)
	}
	secret, err := filepath.Abs(filepath.Join("home", "somebody", "secret"))
	if err != nil {
		t.Fatal(err)
	}
	var log logText
	h := handler(t, ws, &Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	causes := map[string]error{
		"path":      fmt.Errorf("it is: %w", &fs.PathError{Op: "open", Path: secret, Err: fs.ErrPermission}),
		"untrusted": &findspot.UntrustedError{Path: secret, Reason: "it is a link", Way: "remove it"},
		"repo":      errors.New("read " + repos[0].Root + "/x: input/output error"),
	}
	for name, cause := range causes {
		bad := skill.Tool{Name: name, Call: func(context.Context, json.RawMessage) (*skill.Result, error) { return nil, cause }}
		h.server.AddTool(&mcp.Tool{Name: name, InputSchema: form(nil)}, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			s, err := h.session(ctx, req.Session)
			if err != nil {
				return nil, err
			}
			return s.answer(ctx, bad, req.Params.Arguments, false), nil
		})
		h.server.AddResource(&mcp.Resource{URI: "test://" + name, Name: name}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) { return nil, cause })
	}
	web := connectHTTP(t, h, mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil))
	own := connect(t, h, nil)
	number := regexp.MustCompile(`says more under ([A-Z2-7]{20,})`)
	for name, cause := range causes {
		for _, s := range []*mcp.ClientSession{own, web} {
			var got []string
			if res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name}); err != nil || !res.IsError {
				t.Errorf("%s: %+v, %v", name, res, err)
			} else {
				got = append(got, textOf(res))
			}
			if _, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "test://" + name}); err == nil {
				t.Errorf("%s: no error", name)
			} else {
				got = append(got, err.Error())
			}
			for _, text := range got {
				if s == own {
					if !strings.Contains(text, cause.Error()) {
						t.Errorf("%s: the user of this machine is told %q, want %q", name, text, cause)
					}
					continue
				}
				id := number.FindStringSubmatch(text)
				if id == nil || strings.Contains(text, secret) || strings.Contains(text, repos[0].Root) {
					t.Errorf("%s: a client over HTTP is told %q", name, text)
				} else if !strings.Contains(log.String(), "id="+id[1]) {
					t.Errorf("%s: the log has no %s: %s", name, id[1], log.String())
				}
			}
		}
	}
	// What a client wrote itself, it may read.
	over := context.WithValue(t.Context(), kindKey{}, kindSession)
	if err := h.tell(over, "index", []byte(`{"path":"`+secret+`"}`), causes["path"]); err != causes["path"] && filepath.Separator == '/' {
		t.Errorf("of the client's own path it is told %v", err)
	}
}

// TestUnreadSourcesOverHTTP: why they could not be read has paths of the host.
func TestUnreadSourcesOverHTTP(t *testing.T) {
	var log logText
	ready := make(chan error, 1)
	ready <- errors.New("/home/somebody/papers: permission denied")
	h := handler(t, workspace(t, nil), &Options{Ready: ready, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	s := connectHTTP(t, h, mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil))
	res, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "index"})
	if err != nil || !res.IsError || strings.Contains(textOf(res), "somebody") || !strings.Contains(log.String(), "somebody") {
		t.Errorf("a call = %+v, %v", res, err)
	}
	if _, err := s.ListResources(t.Context(), nil); err == nil || strings.Contains(err.Error(), "somebody") {
		t.Errorf("ListResources = %v", err)
	}
}

// TestLogOfTheHost: a client over HTTP is told of the work, and not where on the host it is done; one of standard input is told all.
func TestLogOfTheHost(t *testing.T) {
	leak.Check(t)
	feed := NewFeed(nil)
	ws := workspace(t, nil)
	repos, err := ws.Repos()
	if err != nil || len(repos) != 1 {
		t.Fatal(repos, err)
	}
	h := handler(t, ws, &Options{Feed: feed})
	dir, err := filepath.Abs("papers")
	if err != nil {
		t.Fatal(err)
	}
	var own, web told
	for _, s := range []*mcp.ClientSession{connect(t, h, own.options()), connectHTTP(t, h, mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, web.options()))} {
		if err := s.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "info"}); err != nil {
			t.Fatal(err)
		}
	}
	feed.Logger().Info("documents are fresh", "path", dir, "new", 3, "reason", fmt.Errorf("it is: %w", &fs.PathError{Op: "open", Path: dir, Err: fs.ErrPermission}), "text", "watch "+repos[0].Root+": it ends")
	for name, l := range map[string]*told{"own": &own, "web": &web} {
		eventually(t, "a message", func() bool { _, logs := l.seen(); return len(logs) == 1 })
		_, logs := l.seen()
		text := fmt.Sprint(logs[0].Data)
		if !strings.Contains(text, "new:3") || !strings.Contains(text, "documents are fresh") {
			t.Errorf("%s is told %s", name, text)
		}
		for _, secret := range []string{"path:" + dir, "open " + dir, "watch " + repos[0].Root} {
			if strings.Contains(text, secret) != (name == "own") {
				t.Errorf("%s is told %s", name, text)
			}
		}
	}
}

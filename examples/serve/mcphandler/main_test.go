package mcphandler

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/internal/fakels"
	"github.com/findspot/findspot/internal/home"
	"github.com/findspot/findspot/internal/leak"
)

func TestMain(m *testing.M) {
	fakels.ServeIfAsked()
	if os.Getenv(serveEnv) != "" {
		if err := serveLines(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(leak.Main(func() int { return home.Run(m) }))
}

var (
	papers   = filepath.Join("..", "..", "testdata", "papers")
	receiver = filepath.Join("..", "..", "testdata", "receiver")
)

// workspace is one with the documents and the repository of testdata, without language servers.
func workspace(t testing.TB, o *findspot.Options) *findspot.Workspace {
	t.Helper()
	if o == nil {
		o = &findspot.Options{}
	}
	o.NoServers = true
	ws, err := findspot.Open(t.Context(), t.TempDir(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ws.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := fill(t.Context(), ws); err != nil {
		t.Fatal(err)
	}
	return ws
}

// openWorkspace is workspace for what is no test.
func openWorkspace(ctx context.Context, dir string) (*findspot.Workspace, error) {
	ws, err := findspot.Open(ctx, dir, &findspot.Options{NoServers: true})
	if err != nil {
		return nil, err
	}
	return ws, fill(ctx, ws)
}

func fill(ctx context.Context, ws *findspot.Workspace) error {
	for _, err := range ws.AddDocs(ctx, papers) {
		if err != nil {
			return err
		}
	}
	_, err := ws.AddRepo(ctx, receiver, nil)
	return err
}

// handler is one that the test closes.
func handler(t testing.TB, ws *findspot.Workspace, o *Options) *Handler {
	t.Helper()
	h, err := New(ws, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// connect is a client over pipes in memory.
func connect(t testing.TB, h *Handler, o *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	return connectTo(t, h, mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o))
}

// connectTo connects a client to a handler, by lines in memory.
func connectTo(t testing.TB, h *Handler, c *mcp.Client) *mcp.ClientSession {
	t.Helper()
	here, there := mcp.NewInMemoryTransports()
	done := make(chan error, 1)
	go func() { done <- h.Run(context.WithoutCancel(t.Context()), there) }()
	s, err := c.Connect(t.Context(), here, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if err := <-done; err != nil {
			t.Errorf("Run = %v", err)
		}
	})
	return s
}

// connectHTTP connects a client to a handler by streamable HTTP.
func connectHTTP(t testing.TB, h *Handler, c *mcp.Client) *mcp.ClientSession {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	hc := &http.Client{Transport: &http.Transport{}}
	t.Cleanup(hc.CloseIdleConnections)
	s, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: srv.URL, HTTPClient: hc}, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

package mcphandler

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/internal/leak"
)

var (
	benchRepo = flag.String("repo", receiver, "repository that BenchmarkMCP asks about")
	benchDocs = flag.String("docs", papers, "folders of documents that BenchmarkMCP asks about, with commas between them")
	benchKeep = flag.String("index", "", "folder of the index of BenchmarkMCP, kept for another run; empty for one that goes away")
)

// benchEnv has what the test binary is to serve, in place of testdata: the index, the repository and the documents, a line each.
const benchEnv = "FINDSPOT_TEST_SOURCES"

// BenchmarkMCP measures calls of every read tool of the compact profile as a client sees them: over standard input and output of a process of its own,
// and over streamable HTTP on the loopback address. Language servers are left out: their answers take the time that they take.
//
//	go test ./examples/serve/mcphandler -run '^$' -bench MCP -benchtime 400x -args -repo DIR -docs DIR,DIR
//
// Each call has other arguments than the one before; they come from what the sources hold.
func BenchmarkMCP(b *testing.B) {
	dir := *benchKeep
	if dir == "" {
		dir = b.TempDir()
	}
	sources := strings.Join([]string{dir, *benchRepo, *benchDocs}, "\n")
	b.Run("stdio", func(b *testing.B) {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), serveEnv+"=1", benchEnv+"="+sources)
		cmd.Stderr = os.Stderr
		benchCalls(b, &mcp.CommandTransport{Command: cmd}, func() int { return cmd.Process.Pid })
	})
	b.Run("HTTP", func(b *testing.B) {
		ws, err := benchWorkspace(b.Context(), sources)
		if err != nil {
			b.Fatal(err)
		}
		defer ws.Close()
		h, err := New(ws, nil)
		if err != nil {
			b.Fatal(err)
		}
		defer h.Close()
		s := httptest.NewServer(h)
		defer s.Close()
		benchCalls(b, &mcp.StreamableClientTransport{Endpoint: s.URL}, os.Getpid)
	})
}

// benchWorkspace is the workspace that BenchmarkMCP asks.
func benchWorkspace(ctx context.Context, sources string) (*findspot.Workspace, error) {
	parts := strings.Split(sources, "\n")
	none := filepath.Join(parts[0], "..", "servers.yaml") // no language server is there, and lsp_definition asks the graph
	if err := os.WriteFile(none, []byte("[]\n"), 0o600); err != nil {
		return nil, err
	}
	ws, err := findspot.Open(ctx, parts[0], &findspot.Options{Servers: findspot.ServerOptions{File: none}, TrustIndex: true}) // that of another run is of another user, as tests are
	if err != nil {
		return nil, err
	}
	from := Sources{Docs: strings.Split(parts[2], ","), Repos: parts[1:2]}
	if err := from.add(ctx, ws, slog.New(slog.DiscardHandler)); err != nil {
		ws.Close()
		return nil, err
	}
	go func() { _ = ws.Watch(ctx, nil) }() // ends with the workspace
	return ws, nil
}

func benchCalls(b *testing.B, t mcp.Transport, pid func() int) {
	s, err := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil).Connect(b.Context(), t, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	call := func(name string, args map[string]any) *mcp.CallToolResult {
		res, err := s.CallTool(context.Background(), &mcp.CallToolParams{Name: name, Arguments: args})
		if err != nil {
			b.Fatal(err)
		}
		if res.IsError {
			b.Fatalf("%s %v: %s", name, args, textOf(res))
		}
		return res
	}
	words := strings.Fields("request error parse config signal filter detect read write session template time field key state model frequency order update channel")
	calls := map[string][]map[string]any{"index": {{}}}
	add := func(name string, args map[string]any) { calls[name] = append(calls[name], args) }
	for i, w := range words {
		add("search_internal", map[string]any{"query": w + " " + words[(i+7)%len(words)]})
		add("search_internal", map[string]any{"query": w})
		add("search_entity", map[string]any{"query": w})
		add("search_entity", map[string]any{"query": w + " " + words[(i+3)%len(words)]})
		add("search_text", map[string]any{"pattern": w + "_"})
		for _, id := range structured(b, call("search_entity", map[string]any{"query": w, "limit": 5})) {
			add("traverse_graph", map[string]any{"ids": []string{id}, "direction": "users"})
			add("traverse_graph", map[string]any{"ids": []string{id}, "direction": "callees", "hops": 2})
			add("references", map[string]any{"symbol": id})
			add("lsp_definition", map[string]any{"symbol": id})
			add("read", map[string]any{"entity": id})
		}
	}
	for _, name := range []string{"search_internal", "search_entity", "traverse_graph", "references", "lsp_definition", "search_text", "read", "index"} {
		list := calls[name]
		b.Run(name, func(b *testing.B) {
			var fit []map[string]any
			for _, a := range list[:min(len(list), 40)] { // warm; a symbol whose name is ambiguous is an error
				if res, err := s.CallTool(context.Background(), &mcp.CallToolParams{Name: name, Arguments: a}); err == nil && !res.IsError {
					fit = append(fit, a)
				}
			}
			if list = fit; len(list) == 0 {
				b.Fatalf("%s: no call is answered", name)
			}
			var took []time.Duration
			before := busy(pid())
			for i := 0; b.Loop(); i++ {
				start := time.Now()
				call(name, list[i%len(list)])
				took = append(took, time.Since(start))
			}
			if spent := busy(pid()) - before; spent > 0 {
				b.ReportMetric(float64(spent.Microseconds())/1000/float64(len(took)), "cpu-ms/op")
			}
			slices.Sort(took)
			for _, p := range []int{50, 95} {
				b.ReportMetric(float64(took[(len(took)-1)*p/100].Microseconds())/1000, fmt.Sprintf("p%d-ms", p))
			}
			b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "max-ms")
		})
	}
	if peak := leak.PeakMemory(pid()); peak > 0 {
		b.Logf("peak memory of the server's process: %d MB", peak>>20)
	}
}

// structured returns the ids of the entities in an answer.
func structured(b *testing.B, res *mcp.CallToolResult) []string {
	m, ok := res.StructuredContent.(map[string]any)
	if !ok {
		b.Fatalf("structured content is %T", res.StructuredContent)
	}
	var out []string
	items, _ := m["items"].(map[string]any)
	for _, it := range items {
		text, _ := it.(string)
		if id, _, ok := strings.Cut(text, " l. "); ok && !strings.HasPrefix(id, "C") { // of the first in its file
			out = append(out, id)
		}
	}
	return out
}

// busy is the processor time that a process has used, in the system's ticks of a hundredth of a second; 0 where the system does not tell.
func busy(pid int) time.Duration {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, ok := strings.Cut(string(data), ") ")
	fields := strings.Fields(rest)
	if !ok || len(fields) < 13 {
		return 0
	}
	var user, system int64
	if _, err := fmt.Sscan(fields[11]+" "+fields[12], &user, &system); err != nil {
		return 0
	}
	return time.Duration(user+system) * 10 * time.Millisecond
}

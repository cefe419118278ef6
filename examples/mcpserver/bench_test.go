package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/findspot/findspot/internal/fakels"
	"github.com/findspot/findspot/internal/home"
	"github.com/findspot/findspot/internal/leak"
)

var (
	benchRepo = flag.String("repo", filepath.Join("..", "testdata", "receiver"), "repository that BenchmarkMCP asks about")
	benchDocs = flag.String("docs", filepath.Join("..", "testdata", "papers"), "folders of documents that BenchmarkMCP asks about, with commas between them")
	benchKeep = flag.String("index", "", "folder of the index of BenchmarkMCP, kept for another run; empty for one that goes away")
)

// serveEnv makes the test binary a server on standard input and output.
const serveEnv = "FINDSPOT_TEST_SERVER"

func TestMain(m *testing.M) {
	fakels.ServeIfAsked()
	if os.Getenv(serveEnv) != "" {
		main()
		return
	}
	os.Exit(leak.Main(func() int { return home.Run(m) }))
}

// BenchmarkMCP measures calls of a warm server as a client sees them, over pipes in memory and over standard input and output:
//
//	go test ./examples/mcpserver -run '^$' -bench MCP -args -repo DIR -docs DIR,DIR
//
// Each call has other arguments than the one before; they come from what the sources hold.
func BenchmarkMCP(b *testing.B) {
	dir := *benchKeep
	if dir == "" {
		dir = b.TempDir()
	}
	args := []string{"-dir", dir, "-repo", *benchRepo}
	for d := range strings.SplitSeq(*benchDocs, ",") {
		args = append(args, "-docs", d)
	}
	b.Run("memory", func(b *testing.B) {
		here, there := mcp.NewInMemoryTransports()
		done := make(chan error, 1)
		go func() { done <- run(context.Background(), args, there, io.Discard) }()
		benchCalls(b, here, func() int { return os.Getpid() })
		if err := <-done; err != nil {
			b.Error(err)
		}
	})
	b.Run("stdio", func(b *testing.B) {
		self, err := os.Executable()
		if err != nil {
			b.Fatal(err)
		}
		cmd := exec.Command(self, args...)
		cmd.Env = append(os.Environ(), serveEnv+"=1")
		benchCalls(b, &mcp.CommandTransport{Command: cmd}, func() int { return cmd.Process.Pid })
	})
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
			b.Fatalf("%s %v: %s", name, args, res.Content[0].(*mcp.TextContent).Text)
		}
		return res
	}
	words := strings.Fields("request error parse config signal filter detect read write session template time field key state model frequency order update channel")
	var calls = map[string][]map[string]any{}
	for i, w := range words {
		calls["search_internal"] = append(calls["search_internal"], map[string]any{"query": w + " " + words[(i+7)%len(words)]}, map[string]any{"query": w})
		calls["search_entity"] = append(calls["search_entity"], map[string]any{"query": w}, map[string]any{"query": w + " " + words[(i+3)%len(words)]})
		for _, it := range structured(b, call("search_entity", map[string]any{"query": w, "limit": 5})) {
			calls["traverse_graph"] = append(calls["traverse_graph"], map[string]any{"ids": []string{it}, "direction": "users"})
			calls["retrieve_entity"] = append(calls["retrieve_entity"], map[string]any{"ids": []string{it}})
		}
	}
	for _, name := range []string{"search_internal", "search_entity", "traverse_graph", "retrieve_entity"} {
		list := calls[name]
		for _, a := range list { // warm
			call(name, a)
		}
		b.Run(name, func(b *testing.B) {
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
	if peak := peakMemory(pid()); peak > 0 {
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

// peakMemory is the most memory that a process had, in bytes; 0 where the system does not tell.
func peakMemory(pid int) int64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			var kb int64
			if _, err := fmt.Sscan(rest, &kb); err == nil {
				return kb << 10
			}
		}
	}
	return 0
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

package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// overMCP measures each tool of the compact profile that reads, one call after the other.
func overMCP(ctx context.Context, url string, long time.Duration) error {
	client := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
	s, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: url + "/mcp", HTTPClient: &http.Client{Transport: &http.Transport{}}}, nil)
	if err != nil {
		return err
	}
	defer s.Close()
	for _, t := range []struct {
		tool string
		args func(i int) map[string]any
	}{
		{"search_internal", func(i int) map[string]any { return map[string]any{"query": "synchronization signals"} }},
		{"search_entity", func(i int) map[string]any { return map[string]any{"query": words[i%len(words)]} }},
		{"traverse_graph", func(i int) map[string]any {
			return map[string]any{"id": []string{"Model.save", "QuerySet.filter", "HttpResponse"}[i%3], "direction": "callers"}
		}},
		{"references", func(i int) map[string]any { return map[string]any{"symbol": "get_script_prefix"} }},
		{"search_text", func(i int) map[string]any { return map[string]any{"pattern": "def get_queryset"} }},
		{"read", func(i int) map[string]any {
			return map[string]any{"path": "django/db/models/base.py", "first": 1, "last": 80}
		}},
	} {
		var took []time.Duration
		for i, began := 0, time.Now(); time.Since(began) < long; i++ {
			from := time.Now()
			res, err := s.CallTool(ctx, &mcp.CallToolParams{Name: t.tool, Arguments: t.args(i)})
			if err != nil {
				return fmt.Errorf("%s: %w", t.tool, err)
			}
			took = append(took, time.Since(from))
			if res.IsError && i == 0 {
				fmt.Printf("| %s | an error: %.200s |\n", t.tool, res.Content[0].(*mcp.TextContent).Text)
				break
			}
		}
		if len(took) > 1 {
			row(fmt.Sprintf("| %s | %d |", t.tool, len(took)), took, "")
		}
	}
	return nil
}

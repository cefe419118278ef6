package serve

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"google.golang.org/protobuf/proto"

	tracepb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
)

// TestTelemetry: requests by their routes, calls of tools through every door, and readings of sources arrive at a collector, and nothing of what was asked.
func TestTelemetry(t *testing.T) {
	var mu sync.Mutex
	names, text := map[string]bool{}, strings.Builder{}
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, err := io.ReadAll(r.Body)
		if err != nil || r.URL.Path != "/v1/traces" {
			return // metrics have a test of their own
		}
		m := &tracepb.ExportTraceServiceRequest{}
		if err := proto.Unmarshal(data, m); err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		text.WriteString(m.String())
		for _, rs := range m.ResourceSpans {
			for _, ss := range rs.ScopeSpans {
				for _, s := range ss.Spans {
					names[s.Name] = true
				}
			}
		}
	}))
	defer collector.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	env := map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": collector.URL}
	docs := files(t, map[string]string{"a.md": "# A\n\nThe word is quokka.\n"})
	repo := files(t, map[string]string{"a.py": "def wombat(): pass\n"})
	_, s := open(t, Options{Sources: Sources{Docs: []string{docs}, Repos: []string{repo}}, Environ: func(k string) string { return env[k] }})
	url, c := start(t, s), client(t)
	ready(t, s)
	send(t, c, "POST", url+"/search?secret-a", `{"query":"quokka"}`, nil)
	send(t, c, "POST", url+"/tools/search_internal", `{"query":"quokka"}`, nil)
	send(t, c, "GET", url+"/documents/quokka-id", "", nil)
	send(t, c, "POST", url+prefix+"Search", `{"query":"quokka"}`, nil)
	send(t, c, "POST", url+prefix+"Quokka", `{}`, nil)
	call(t, session(t, c, url), "search_entity", map[string]any{"query": "wombat"})
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	mu.Lock()
	defer mu.Unlock()
	for _, want := range []string{
		"POST /search", "POST /tools/{name}", "GET /documents/{id}", "POST " + prefix + "Search", "POST " + prefix + "other", "POST /mcp", "tool search_internal", "tool search_entity",
		"refresh documents", "refresh code",
	} {
		if !names[want] {
			t.Errorf("no span %q in %v", want, names)
		}
	}
	for _, word := range []string{"quokka", "secret-a", "wombat"} {
		if strings.Contains(strings.ToLower(text.String()), word) {
			t.Errorf("it tells %q", word)
		}
	}
}

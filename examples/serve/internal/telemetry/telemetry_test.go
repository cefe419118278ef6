package telemetry

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	metricspb "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/findspot/findspot/internal/leak"
	"github.com/findspot/findspot/skill"
)

func TestMain(m *testing.M) { os.Exit(leak.Main(m.Run)) }

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func TestAsk(t *testing.T) {
	for _, tt := range []struct {
		name string
		env  map[string]string
		want wanted
	}{
		{"nothing", nil, wanted{}},
		{"an endpoint", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x"}, wanted{true, true}},
		{"an endpoint of traces", map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://x"}, wanted{true, false}},
		{"an endpoint of metrics", map[string]string{"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT": "http://x"}, wanted{false, true}},
		{"an exporter", map[string]string{"OTEL_METRICS_EXPORTER": "otlp"}, wanted{false, true}},
		{"an endpoint, but no traces", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x", "OTEL_TRACES_EXPORTER": "none"}, wanted{false, true}},
		{"an exporter that is not known", map[string]string{"OTEL_TRACES_EXPORTER": "zipkin"}, wanted{}},
		{"switched off", map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x", "OTEL_SDK_DISABLED": "TRUE"}, wanted{}},
		{"service name alone", map[string]string{"OTEL_SERVICE_NAME": "x"}, wanted{}},
	} {
		if got := ask(func(k string) string { return tt.env[k] }, quiet()); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

// collector is what programs that collect look like to those that send.
type collector struct {
	mu   sync.Mutex
	text map[string]string // what came, by path, as JSON
}

func (c *collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body := io.Reader(r.Body)
	if r.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		body = z
	}
	data, err := io.ReadAll(body)
	var m proto.Message = &tracepb.ExportTraceServiceRequest{}
	if strings.HasSuffix(r.URL.Path, "metrics") {
		m = &metricspb.ExportMetricsServiceRequest{}
	}
	if err == nil {
		err = proto.Unmarshal(data, m)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.text[r.URL.Path] += protojson.Format(m)
	w.Header().Set("Content-Type", "application/x-protobuf")
}

// TestSent: a request, a tool's call in it and a refresh arrive at a collector, under the client's trace, with nothing of what was asked.
func TestSent(t *testing.T) {
	c := &collector{text: map[string]string{}}
	srv := httptest.NewServer(c)
	defer srv.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", srv.URL)
	t.Setenv("OTEL_SERVICE_NAME", "library-of-alexandria")
	tel, err := Start(t.Context(), os.Getenv, "9.9.9", quiet())
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest("POST", "/findspot.v1.Findspot/Search?secret-query", strings.NewReader("secret"))
	const trace, parent = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	r.Header.Set("Traceparent", "00-"+trace+"-"+parent+"-01")
	ctx, id, done := tel.Request(r, "/findspot.v1.Findspot/Search")
	if id != trace {
		t.Errorf("the trace is %q", id)
	}
	tool := tel.Tools([]skill.Tool{{Name: "search_internal", Call: func(context.Context, json.RawMessage) (*skill.Result, error) {
		return nil, errors.New("secret words")
	}}})[0]
	if _, err := tool.Call(ctx, json.RawMessage(`{"query":"secret"}`)); err == nil {
		t.Error("no error")
	}
	done(200, 42)
	_, refreshed := tel.Refresh(t.Context(), "documents")
	refreshed(nil)
	if err := tel.Close(t.Context()); err != nil {
		t.Error(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for path, wants := range map[string][]string{
		"/v1/traces":  {"POST /findspot.v1.Findspot/Search", "tool search_internal", "refresh documents", "library-of-alexandria", "9.9.9", "STATUS_CODE_ERROR", "http.response.status_code"},
		"/v1/metrics": {"http.server.request.duration", "http.server.active_requests", "http.server.response.body.size", "findspot.tool.duration", "findspot.refresh.duration", "/findspot.v1.Findspot/Search"},
	} {
		text := c.text[path]
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %s in %s", path, want, text)
			}
		}
		if strings.Contains(text, "secret") {
			t.Errorf("%s tells what was asked: %s", path, text)
		}
	}
}

// TestNone: without a word of the environment nothing is started, and a nil telemetry does nothing.
func TestNone(t *testing.T) {
	tel, err := Start(t.Context(), func(string) string { return "" }, "", quiet())
	if tel != nil || err != nil {
		t.Fatalf("%v, %v", tel, err)
	}
	tools := []skill.Tool{{Name: "x"}}
	if got := tel.Tools(tools); &got[0] != &tools[0] {
		t.Error("tools are wrapped")
	}
	_, done := tel.Tool(t.Context(), "x")
	done(nil)
	_, done = tel.Refresh(t.Context(), "x")
	done(nil)
	if err := tel.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestCollectorDown: a collector that does not answer is said in the log, and the end does not wait for ever.
func TestCollectorDown(t *testing.T) {
	srv := httptest.NewServer(http.NotFoundHandler())
	addr := srv.URL
	srv.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", addr)
	var buf bytes.Buffer
	tel, err := Start(t.Context(), os.Getenv, "", slog.New(slog.NewTextHandler(&buf, nil)))
	if err != nil {
		t.Fatal(err)
	}
	_, _, done := tel.Request(httptest.NewRequest("GET", "/", nil), "/")
	done(200, 1)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	began := time.Now()
	if err := tel.Close(ctx); err == nil {
		t.Error("no error")
	}
	if d := time.Since(began); d > 5*time.Second {
		t.Errorf("the end took %s", d)
	}
}

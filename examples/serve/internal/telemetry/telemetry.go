package telemetry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/metric"
	noopmetric "go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/propagation"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	nooptrace "go.opentelemetry.io/otel/trace/noop"

	"github.com/findspot/findspot/skill"
)

const scope = "github.com/findspot/findspot/examples/serve"

// Telemetry sends traces and metrics. A nil one sends nothing. It is safe for concurrent use.
type Telemetry struct {
	tracer                     trace.Tracer
	requests, tools, refreshes metric.Float64Histogram // seconds
	active                     metric.Int64UpDownCounter
	size                       metric.Int64Histogram
	end                        []func(context.Context) error
}

// wanted are the signals that the environment asks for.
type wanted struct{ traces, metrics bool }

// ask reads the environment.
func ask(env func(string) string, log *slog.Logger) (w wanted) {
	if strings.EqualFold(strings.TrimSpace(env("OTEL_SDK_DISABLED")), "true") {
		return w
	}
	for _, s := range []struct {
		on   *bool
		name string
	}{{&w.traces, "TRACES"}, {&w.metrics, "METRICS"}} {
		switch how := strings.TrimSpace(env("OTEL_" + s.name + "_EXPORTER")); how {
		case "otlp":
			*s.on = true
		case "":
			*s.on = env("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || env("OTEL_EXPORTER_OTLP_"+s.name+"_ENDPOINT") != ""
		case "none":
		default:
			log.Warn("no telemetry of this kind: only otlp and none are known", "variable", "OTEL_"+s.name+"_EXPORTER", "value", how)
		}
		how := env("OTEL_EXPORTER_OTLP_" + s.name + "_PROTOCOL")
		if how == "" {
			how = env("OTEL_EXPORTER_OTLP_PROTOCOL")
		}
		if *s.on && how != "" && how != "http/protobuf" {
			log.Warn("telemetry is sent by http/protobuf, the only protocol that is known", "signal", strings.ToLower(s.name), "asked", how)
		}
	}
	return w
}

// Start starts what the environment asks for, and returns nil when it asks for nothing. version is the program's.
func Start(ctx context.Context, env func(string) string, version string, log *slog.Logger) (*Telemetry, error) {
	w := ask(env, log)
	if !w.traces && !w.metrics {
		return nil, nil
	}
	// What the environment says of the service comes before what we say of it.
	res, err := resource.New(ctx, resource.WithTelemetrySDK(), resource.WithAttributes(attribute.String("service.name", "findspot"), attribute.String("service.version", version)), resource.WithFromEnv())
	if err != nil && !errors.Is(err, resource.ErrPartialResource) && !errors.Is(err, resource.ErrSchemaURLConflict) {
		return nil, fmt.Errorf("telemetry: %w", err)
	}
	// Where the collector is down is said once a minute: the interface for it is the process's.
	var last atomic.Int64
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) {
		now := time.Now().Unix()
		if then := last.Load(); now-then >= 60 && last.CompareAndSwap(then, now) {
			log.Warn("telemetry", "reason", err)
		}
	}))
	t := &Telemetry{}
	var tracers trace.TracerProvider = nooptrace.NewTracerProvider()
	var meters metric.MeterProvider = noopmetric.NewMeterProvider()
	if w.traces {
		out, err := otlptracehttp.New(ctx)
		if err != nil {
			return nil, fmt.Errorf("telemetry: traces: %w", err)
		}
		p := sdktrace.NewTracerProvider(sdktrace.WithBatcher(out), sdktrace.WithResource(res))
		tracers, t.end = p, append(t.end, p.Shutdown)
	}
	if w.metrics {
		out, err := otlpmetrichttp.New(ctx)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("telemetry: metrics: %w", err), t.Close(ctx))
		}
		p := sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewPeriodicReader(out)), sdkmetric.WithResource(res))
		meters, t.end = p, append(t.end, p.Shutdown)
	}
	t.tracer = tracers.Tracer(scope, trace.WithInstrumentationVersion(version))
	m := meters.Meter(scope, metric.WithInstrumentationVersion(version))
	var errs [5]error
	seconds := metric.WithUnit("s")
	t.requests, errs[0] = m.Float64Histogram("http.server.request.duration", seconds, metric.WithExplicitBucketBoundaries(.001, .002, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 60))
	t.active, errs[1] = m.Int64UpDownCounter("http.server.active_requests", metric.WithUnit("{request}"))
	t.size, errs[2] = m.Int64Histogram("http.server.response.body.size", metric.WithUnit("By"))
	t.tools, errs[3] = m.Float64Histogram("findspot.tool.duration", seconds, metric.WithDescription("calls of tools"))
	t.refreshes, errs[4] = m.Float64Histogram("findspot.refresh.duration", seconds, metric.WithDescription("indexes brought up to date"))
	if err := errors.Join(errs[:]...); err != nil {
		return nil, errors.Join(fmt.Errorf("telemetry: %w", err), t.Close(ctx))
	}
	return t, nil
}

// Close sends what is left, until ctx ends.
func (t *Telemetry) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	var errs []error
	for _, end := range t.end {
		errs = append(errs, end(ctx))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("telemetry: %w", err)
	}
	return nil
}

// Request begins the span of a request; it is an observer of httpguard. The trace is that of the client where it sends one.
func (t *Telemetry) Request(r *http.Request, route string) (ctx context.Context, id string, done func(status int, bytes int64)) {
	ctx = propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	method := r.Method
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
	default: // a client may send any word
		method = "_OTHER"
	}
	name := route
	if !strings.HasPrefix(route, method) {
		name = method + " " + route
	}
	of := attribute.NewSet(attribute.String("http.request.method", method), attribute.String("http.route", route))
	ctx, span := t.tracer.Start(ctx, name, trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(of.ToSlice()...),
		trace.WithAttributes(attribute.String("network.protocol.version", fmt.Sprintf("%d.%d", r.ProtoMajor, r.ProtoMinor))))
	t.active.Add(ctx, 1, metric.WithAttributeSet(of))
	began := time.Now()
	if sc := span.SpanContext(); sc.HasTraceID() {
		id = sc.TraceID().String()
	}
	return ctx, id, func(status int, bytes int64) {
		code := attribute.Int("http.response.status_code", status)
		span.SetAttributes(code, attribute.Int64("http.response.body.size", bytes))
		if status >= 500 || status == 0 {
			span.SetStatus(codes.Error, "")
		}
		span.End()
		out := context.WithoutCancel(ctx)
		t.active.Add(out, -1, metric.WithAttributeSet(of))
		t.requests.Record(out, time.Since(began).Seconds(), metric.WithAttributeSet(of), metric.WithAttributes(code))
		t.size.Record(out, bytes, metric.WithAttributeSet(of), metric.WithAttributes(code))
	}
}

// Tools returns the tools, each call of which is a span.
func (t *Telemetry) Tools(tools []skill.Tool) []skill.Tool {
	if t == nil {
		return tools
	}
	out := make([]skill.Tool, len(tools))
	for i, tool := range tools {
		call := tool.Call
		tool.Call = func(ctx context.Context, in json.RawMessage) (*skill.Result, error) {
			ctx, done := t.Tool(ctx, tool.Name)
			res, err := call(ctx, in)
			done(err)
			return res, err
		}
		out[i] = tool
	}
	return out
}

// Tool begins the span of a tool's call. What the error says is not kept: it may quote what was asked.
func (t *Telemetry) Tool(ctx context.Context, name string) (context.Context, func(error)) {
	if t == nil {
		return ctx, func(error) {}
	}
	return t.span(ctx, "tool "+name, t.tools, attribute.String("findspot.tool", name))
}

// Refresh begins the span of bringing an index up to date: of "documents" or "code".
func (t *Telemetry) Refresh(ctx context.Context, what string) (context.Context, func(error)) {
	if t == nil {
		return ctx, func(error) {}
	}
	return t.span(ctx, "refresh "+what, t.refreshes, attribute.String("findspot.index", what))
}

func (t *Telemetry) span(ctx context.Context, name string, in metric.Float64Histogram, of attribute.KeyValue) (context.Context, func(error)) {
	ctx, span := t.tracer.Start(ctx, name, trace.WithAttributes(of))
	began := time.Now()
	return ctx, func(err error) {
		if err != nil {
			span.SetStatus(codes.Error, "")
		}
		span.End()
		in.Record(context.WithoutCancel(ctx), time.Since(began).Seconds(), metric.WithAttributes(of, attribute.Bool("error", err != nil)))
	}
}

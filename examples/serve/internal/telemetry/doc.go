// Package telemetry gives OpenTelemetry traces and metrics of a server, when the environment asks for them with the variables of the OpenTelemetry
// specification: OTEL_EXPORTER_OTLP_ENDPOINT (or the one of traces or metrics), OTEL_TRACES_EXPORTER, OTEL_METRICS_EXPORTER. They go to a collector by OTLP over
// HTTP, in protobuf. Otherwise, or where OTEL_SDK_DISABLED is "true", nothing is started and [Start] returns nil, whose methods do nothing.
//
// Spans and metrics have names of routes and of tools, statuses, sizes and times. They hold nothing of what was asked or answered.
package telemetry

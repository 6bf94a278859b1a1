package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// tracing exports spans. A nil tracing exports none.
type tracing struct {
	provider *sdktrace.TracerProvider
}

// tracesFlush bounds how long the end of the process waits for the collector.
const tracesFlush = 5 * time.Second

// wantsTraces reports whether the standard variables of OpenTelemetry ask for traces. Its error names a value that
// Assay does not support.
func wantsTraces(variable func(string) string) (bool, error) {
	const exporter, protocol = "OTEL_TRACES_EXPORTER", "OTEL_EXPORTER_OTLP_PROTOCOL"
	endpoint := variable("OTEL_EXPORTER_OTLP_ENDPOINT") + variable("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
	switch {
	case variable("OTEL_SDK_DISABLED") == "true", variable(exporter) == "none":
		return false, nil
	case variable(exporter) != "" && variable(exporter) != "otlp":
		return false, fmt.Errorf("%s: is not otlp or none: %q", exporter, variable(exporter))
	case variable(exporter) == "" && endpoint == "":
		return false, nil
	}
	for _, name := range []string{protocol, "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"} {
		if value := variable(name); value != "" && value != "http/protobuf" {
			return false, fmt.Errorf("%s: is not http/protobuf: %q", name, value)
		}
	}
	return true, nil
}

// newTracing reads the OTEL_ variables that turn traces on. The library reads the variables of the exporter, the
// sampler, and the batches.
func newTracing(ctx context.Context, log *slog.Logger) (*tracing, error) {
	wanted, err := wantsTraces(os.Getenv)
	if err != nil {
		return nil, misconfigured{err}
	}
	if !wanted {
		return nil, nil
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("traces not exported", "error", err) }))
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("export traces: %w", err)
	}
	// Only what the operator names, and the release: the arguments of the process, for example, can contain secrets.
	described, err := resource.New(ctx, resource.WithAttributes(
		attribute.String("service.name", "assay"), attribute.String("service.version", versionText()),
	), resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("export traces: %w", err), exporter.Shutdown(ctx))
	}
	return &tracing{sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(described))}, nil
}

// tracer is nil if nothing is exported, so that no caller prepares spans.
func (t *tracing) tracer() trace.Tracer {
	if t == nil {
		return nil
	}
	return t.provider.Tracer("assay")
}

// close exports what is left.
func (t *tracing) close(log *slog.Logger) {
	if t == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), tracesFlush)
	defer cancel()
	if err := t.provider.Shutdown(ctx); err != nil {
		log.Warn("traces not exported", "error", err)
	}
}

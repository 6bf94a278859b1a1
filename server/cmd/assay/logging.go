package main

import (
	"context"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel/trace"
)

// withUnit writes a duration as a number of milliseconds, and says so in its name: JSON would otherwise have a number
// of nanoseconds, and text one of several units.
func withUnit(_ []string, attribute slog.Attr) slog.Attr {
	if attribute.Value.Kind() != slog.KindDuration {
		return attribute
	}
	microseconds := attribute.Value.Duration().Round(time.Microsecond).Microseconds()
	return slog.Float64(attribute.Key+"Ms", float64(microseconds)/1000)
}

// tracedHandler adds the trace of the context to each record.
type tracedHandler struct {
	slog.Handler
}

// Handle implements slog.Handler.
func (h tracedHandler) Handle(ctx context.Context, record slog.Record) error {
	if span := trace.SpanContextFromContext(ctx); span.HasTraceID() {
		record.AddAttrs(slog.String("traceId", span.TraceID().String()))
	}
	return h.Handler.Handle(ctx, record)
}

// WithAttrs implements slog.Handler.
func (h tracedHandler) WithAttrs(attributes []slog.Attr) slog.Handler {
	return tracedHandler{h.Handler.WithAttrs(attributes)}
}

// WithGroup implements slog.Handler.
func (h tracedHandler) WithGroup(name string) slog.Handler {
	return tracedHandler{h.Handler.WithGroup(name)}
}

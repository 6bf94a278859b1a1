package request

import (
	"context"

	"github.com/labstack/echo/v4"
	"go.opentelemetry.io/otel/attribute"
	otelcodes "go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"assay/store/traces"
)

// trace takes over the trace of the request's header traceparent, and begins a span if traces are exported. A malformed
// header, and several headers, count as none. The header tracestate is ignored: it may contain anything, and it would
// go to the receivers of webhooks.
func (p *Path) trace(ctx context.Context, c echo.Context) (context.Context, trace.Span) {
	if parents := c.Request().Header.Values(traces.Header); len(parents) == 1 {
		ctx = traces.With(ctx, parents[0])
	}
	if p.opts.Tracer == nil || c.Path() == "/healthz" || c.Path() == "/readyz" {
		return ctx, nil
	}
	method := KnownMethod(c.Request().Method)
	return p.opts.Tracer.Start(ctx, method+" "+c.Path(), trace.WithSpanKind(trace.SpanKindServer),
		trace.WithAttributes(attribute.String("http.request.method", method), attribute.String("http.route", c.Path())))
}

// endSpan completes the span with the request's id, operation, and status: nothing that a client has sent.
func endSpan(span trace.Span, info *requestData, status int) {
	if span == nil {
		return
	}
	span.SetAttributes(attribute.Int("http.response.status_code", status),
		attribute.String("assay.request_id", info.id), attribute.String("assay.operation", info.operation))
	if status >= 500 {
		span.SetStatus(otelcodes.Error, "")
	}
	span.End()
}

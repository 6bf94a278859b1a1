package webhooks

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	otelcodes "go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"assay/store/queue"
	"assay/store/traces"
)

// trace continues the trace of the request that caused the event, with a span for the attempt if traces are exported.
// The span has ids only: the address of an endpoint can contain a token.
func (d *Dispatcher) trace(ctx context.Context, job queue.Job) (within context.Context, end func(queue.Attempt)) {
	ctx = traces.With(ctx, job.Trace)
	if d.opts.Tracer == nil {
		return ctx, func(queue.Attempt) {}
	}
	ctx, span := d.opts.Tracer.Start(ctx, "webhook attempt",
		trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(
			attribute.String("assay.webhook_id", job.WebhookID), attribute.String("assay.delivery_id", job.DeliveryID),
			attribute.String("assay.event_type", job.EventType), attribute.Int("assay.attempt", job.Attempt+1)))
	return ctx, func(attempt queue.Attempt) {
		if attempt.StatusCode != nil {
			span.SetAttributes(attribute.Int("http.response.status_code", *attempt.StatusCode))
		}
		if attempt.FailureReason != nil {
			span.SetStatus(otelcodes.Error, string(*attempt.FailureReason))
		}
		span.End()
	}
}

// traceOf returns the header traceparent of an attempt: its own span, or a new one in the trace of the event.
func traceOf(ctx context.Context) string {
	if span := trace.SpanContextFromContext(ctx); span.IsValid() && !span.IsRemote() {
		return traces.Format(span)
	}
	return traces.Child(ctx)
}

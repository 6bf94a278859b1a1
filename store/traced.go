package store

import (
	"context"
	"runtime"
	"strings"

	"go.opentelemetry.io/otel/trace"
)

// traceWrite begins a span for a transaction, with the name of the method that runs it, if the request has a span that
// is exported. Background jobs have none: most of their transactions find nothing to do.
func (s *Store) traceWrite(ctx context.Context) (within context.Context, end func()) {
	if s.opts.Tracer == nil || !trace.SpanFromContext(ctx).IsRecording() {
		return ctx, func() {}
	}
	ctx, span := s.opts.Tracer.Start(ctx, "transaction "+writer())
	return ctx, func() { span.End() }
}

// writer returns the name of the method of Store or conn that has called write.
func writer() string {
	var callers [16]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers[:])])
	for more := true; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		_, method, _ := strings.Cut(frame.Function, ").") // assay/store.(*Store).CreateInvite.func1
		method, _, _ = strings.Cut(method, ".")
		switch method {
		case "", "traceWrite", "write", "inTransaction":
		default:
			return method
		}
	}
	return "unknown"
}

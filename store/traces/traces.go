// Package traces reads and writes the header traceparent of W3C Trace Context, level 1
// (https://www.w3.org/TR/trace-context-1/). The context of a request has the trace as a span context of OpenTelemetry,
// also where nothing exports spans.
package traces

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"strings"

	"go.opentelemetry.io/otel/trace"
)

// Header is the name of the header.
const Header = "traceparent"

// The form of version 00, in characters: 2 hexadecimal digits of the version, 32 of the trace, 16 of the parent span,
// and 2 of flags, separated by dashes.
const length = 2 + 1 + 32 + 1 + 16 + 1 + 2

// Parse returns the span context of a header's value. ok is false if the value is malformed. The caller then goes on as
// if there was none.
func Parse(value string) (parent trace.SpanContext, ok bool) {
	if len(value) < length || value[2] != '-' || value[35] != '-' || value[52] != '-' || value != strings.ToLower(value) {
		return trace.SpanContext{}, false
	}
	var version, flags [1]byte
	var config trace.SpanContextConfig
	for _, part := range []struct {
		to   []byte
		from string
	}{
		{version[:], value[:2]}, {config.TraceID[:], value[3:35]},
		{config.SpanID[:], value[36:52]}, {flags[:], value[53:length]},
	} {
		if _, err := hex.Decode(part.to, []byte(part.from)); err != nil {
			return trace.SpanContext{}, false
		}
	}
	switch {
	case version[0] == 0xff: // is forbidden
		return trace.SpanContext{}, false
	case version[0] == 0 && len(value) > length:
		return trace.SpanContext{}, false
	case len(value) > length && value[length] != '-': // a later version appends fields
		return trace.SpanContext{}, false
	}
	// Level 1 defines one flag, and receivers ignore all other flags.
	config.TraceFlags = trace.TraceFlags(flags[0]) & trace.FlagsSampled
	config.Remote = true
	parent = trace.NewSpanContext(config)
	return parent, parent.IsValid()
}

// Format returns the value of the header for a span context, and "" for an invalid one.
func Format(span trace.SpanContext) string {
	if !span.IsValid() {
		return ""
	}
	flags := span.TraceFlags() & trace.FlagsSampled
	return "00-" + span.TraceID().String() + "-" + span.SpanID().String() + "-" + flags.String()
}

// Of returns the value of the header for the span of the context, and "" if there is none.
func Of(ctx context.Context) string { return Format(trace.SpanContextFromContext(ctx)) }

// With returns a context with the span of a value that Of has returned.
func With(ctx context.Context, value string) context.Context {
	parent, ok := Parse(value)
	if !ok {
		return ctx
	}
	return trace.ContextWithRemoteSpanContext(ctx, parent)
}

// Child returns the value of the header for a new span in the trace of the context, and "" if there is no trace.
func Child(ctx context.Context) string {
	parent := trace.SpanContextFromContext(ctx)
	var id trace.SpanID
	for parent.IsValid() && !id.IsValid() {
		_, _ = rand.Read(id[:]) // crypto/rand.Read never returns an error
	}
	return Format(parent.WithSpanID(id))
}

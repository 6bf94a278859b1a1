package webhooks

import (
	"crypto/x509"
	"log/slog"
	"net"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"

	"assay/store/queue"
)

// Options configure a Dispatcher and a Pinger. Only Queue and Now are required.
type Options struct {
	Queue *queue.Queue
	// Now is the clock of leases, schedules and signatures.
	Now func() time.Time
	// Log receives warnings; nil discards them.
	Log *slog.Logger
	// Tracer makes a span for each attempt. It is nil where traces are not exported.
	Tracer trace.Tracer
	// Registry receives the metrics; nil for none.
	Registry prometheus.Registerer
	// Version follows "Assay/" in the User-Agent header.
	Version string
	// Timeout limits one attempt, from name resolution to the last byte of the response; 10 s by default.
	Timeout time.Duration
	// Backoff is the retry schedule; DefaultBackoff by default.
	Backoff Backoff
	// PerEndpoint limits the attempts in flight to one endpoint; 16 by default.
	PerEndpoint int
	// AllowInsecure permits http and private addresses, for development.
	AllowInsecure bool
	// HidePrivate does not store the responses of private addresses, which AllowInsecure permits.
	HidePrivate bool
	// Resolver and RootCAs replace the system's, for tests.
	Resolver *net.Resolver
	RootCAs  *x509.CertPool
}

const (
	// defaultTimeout is also the default of the flag of assay serve.
	defaultTimeout = 10 * time.Second

	// defaultPerEndpoint gives an endpoint that responds within 100 ms 160
	// deliveries a second, and is few enough not to overload a small receiver.
	defaultPerEndpoint = 16
)

// withDefaults replaces zero values.
func (o Options) withDefaults() Options {
	if o.Timeout == 0 {
		o.Timeout = defaultTimeout
	}
	if o.Backoff == (Backoff{}) {
		o.Backoff = DefaultBackoff
	}
	if o.PerEndpoint == 0 {
		o.PerEndpoint = defaultPerEndpoint
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// Package server is HTTP in, HTTP out: a handler calls the store once, and maps the
// result. It decides nothing. The handlers of a tag of openapi.yaml are in the files
// that begin with the tag. A handler has the name of its operation. Package request
// checks credentials and requests against openapi.yaml before a handler runs.
package server

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/trace"

	"assay/gen"
	"assay/server/openid"
	"assay/server/pages"
	"assay/server/partners"
	"assay/server/request"
	"assay/server/scim"
	"assay/store"
)

var _ gen.StrictServerInterface = (*Server)(nil)

type (
	// RateLimits are the limits of requests.
	RateLimits = request.RateLimits
	// RateLimit is one of them.
	RateLimit = request.RateLimit
	// Metrics count requests.
	Metrics = request.Metrics
	// DemoEmail is an email that the demo shows.
	DemoEmail = pages.DemoEmail
)

// NewMetrics registers the metrics of requests.
func NewMetrics(registry prometheus.Registerer) (*Metrics, error) {
	return request.NewMetrics(registry)
}

// Options configure a Server.
type Options struct {
	Store *store.Store
	// BaseURL is the public address of the service, without a trailing slash, for the links in responses.
	BaseURL string
	// Now is the clock for the durations of requests. Deadlines and tokens use the store's clock.
	Now func() time.Time
	// Log receives one line per request, and the cause of every 5xx.
	Log *slog.Logger
	// Metrics counts requests. It may be nil.
	Metrics *Metrics
	// Tracer makes a span for each request. It is nil where traces are not exported.
	Tracer trace.Tracer
	// Ping sends a test event and returns its attempt; see webhooks.Pinger.
	Ping func(ctx context.Context, organizationID string, target store.Target) (store.Attempt, error)
	// RateLimits bound requests on this replica. The zero value means no limits.
	RateLimits RateLimits
	// TrustedProxies are the networks whose X-Forwarded-For header is trusted.
	TrustedProxies []netip.Prefix
	// CORSOrigins are the origins whose pages may call the API. The default is none.
	CORSOrigins []string
	// FrameAncestors are the origins whose pages may show the candidate page in a frame. The default is none.
	FrameAncestors []string
	// DemoMail returns the emails of the demo, newest first, for the pages below /demo/mail. It is nil in every
	// other service, which has no such pages.
	DemoMail func() []DemoEmail
	// AnswersHost reports whether requests for a host, with or without a port, are answered. It is nil in every service
	// but the demo, which needs no credential: a page whose name was rebound to this machine has another host.
	AnswersHost func(host string) bool
	// Providers speaks to the OpenID Connect providers of organizations. It is nil in a service that sends nothing to
	// other systems.
	Providers *openid.Client
	// DemoSignIn signs the demo's owner in, for the page /demo/sign-in. It is nil in every other service.
	DemoSignIn func(ctx context.Context, scope store.Scope) (store.SignedIn, error)
}

// Server serves the API and its operational endpoints.
type Server struct {
	opts        Options
	store       *store.Store
	path        *request.Path
	eventTypes  map[store.EventType]gen.EventTypeDescription
	assessments *store.ByteCache[assessmentVersion, *store.Document] // for API keys, without drafts
}

// New builds the server. It fails if openapi.yaml and the code disagree, for
// example if an operation names neither roles nor scopes.
func New(opts Options) (*Server, error) {
	s := &Server{opts: opts, store: opts.Store}
	var err error
	if s.path, err = request.New(request.Options{
		Store: opts.Store, BaseURL: opts.BaseURL, Now: opts.Now, Log: opts.Log, Metrics: opts.Metrics, Tracer: opts.Tracer,
		RateLimits: opts.RateLimits, TrustedProxies: opts.TrustedProxies, CORSOrigins: opts.CORSOrigins,
		NoCORS: []string{pages.SessionPath}, AnswersHost: opts.AnswersHost,
	}); err != nil {
		return nil, err
	}
	s.assessments = store.NewByteCache[assessmentVersion, *store.Document](publicDocumentsBytes)
	if s.eventTypes, err = describeEventTypes(opts.Store.ListEventTypes()); err != nil {
		return nil, err
	}

	s.path.Operations(s)
	if err := pages.Register(pages.Options{
		Path: s.path, Store: opts.Store, BaseURL: opts.BaseURL, FrameAncestors: opts.FrameAncestors,
		DemoMail: opts.DemoMail, DemoSignIn: opts.DemoSignIn,
		Providers: opts.Providers, Log: opts.Log,
	}); err != nil {
		return nil, err
	}
	scim.Register(s.path, opts.Store, opts.BaseURL)
	return s, partners.Register(s.path, opts.Store, opts.Log)
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.path.ServeHTTP(w, r) }

// Drain turns readiness off and asks clients to close their connections, so that
// the shutdown that follows interrupts none.
func (s *Server) Drain() { s.path.Drain() }

// WatchReadiness keeps the log and the metrics up to date until ctx ends.
func (s *Server) WatchReadiness(ctx context.Context) error { return s.path.WatchReadiness(ctx) }

package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"assay/server"
	"assay/server/openid"
	"assay/server/pages"
	"assay/store"
	"assay/webhooks"
)

// service is the running service of the commands serve and demo.
type service struct {
	settings
	listener   net.Listener
	dispatcher bool
	silent     bool // sends nothing to other systems
	notice     time.Duration

	// open opens and migrates the database, which can take long. Meanwhile requests get 503.
	open func(context.Context) (*store.Store, error)
	// announce is called when the API takes requests.
	announce func(context.Context, *store.Store) error

	demoMail   func() []server.DemoEmail // of the demo
	demoSignIn func(context.Context, store.Scope) (store.SignedIn, error)
	answers    func(host string) bool // of the demo
}

// front is the handler of the public listener: the API, or another handler before there is one.
type front struct {
	starting http.Handler
	api      atomic.Pointer[server.Server]
}

// ServeHTTP implements http.Handler.
func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if api := f.api.Load(); api != nil {
		api.ServeHTTP(w, r)
		return
	}
	f.starting.ServeHTTP(w, r)
}

// run runs the listeners, and behind them the API, the workers, and the jobs, until ctx ends. Then it drains. The
// listeners answer from the first moment: a proxy would wait for a connection that nobody accepts.
func (s service) run(ctx context.Context) error {
	registry := newRegistry()
	front := &front{starting: pages.Starting{BaseURL: s.baseURL, Now: time.Now, Log: s.log}}
	public := newPublicServer(s.listener, newHTTPServer(front, s.log))
	var database *store.Store // when run returns, no request uses it
	defer func() {
		if database != nil {
			_ = database.Close()
		}
	}()

	s.log.InfoContext(ctx, "opening the database; requests get 503 until it is ready", "addr", s.listener.Addr().String())
	group, running := errgroup.WithContext(ctx)
	group.Go(public.serve)
	group.Go(func() error { return serveAdmin(running, s.settings, registry) })
	group.Go(func() error {
		opened, err := s.open(running)
		if err != nil {
			return unlessEnded(running, err)
		}
		database = opened
		return s.work(running, database, front, registry)
	})
	group.Go(func() error {
		<-running.Done()
		if api := front.api.Load(); api != nil {
			api.Drain()
			time.Sleep(s.notice)
		}
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
		defer cancel()
		return public.drain(ending)
	})
	return group.Wait()
}

// unlessEnded returns an error, except one that the end of ctx has caused.
func unlessEnded(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// work puts the API behind the front, and runs the workers and the jobs until ctx ends.
func (s service) work(
	ctx context.Context, database *store.Store, front *front, registry *prometheus.Registry,
) error {
	for _, collector := range []prometheus.Collector{
		databaseMetrics{database}, reviewMetrics{database}, erasureMetrics{database},
	} {
		if err := registry.Register(collector); err != nil {
			return err
		}
	}
	metrics, err := server.NewMetrics(registry)
	if err != nil {
		return err
	}
	jobMetrics, err := newJobMetrics(registry)
	if err != nil {
		return err
	}
	api, err := server.New(server.Options{
		Store: database, BaseURL: s.baseURL, Now: time.Now, Log: s.log, Metrics: metrics, Ping: s.ping(database),
		Tracer:         s.traces.tracer(),
		TrustedProxies: s.trustedProxies, CORSOrigins: s.corsOrigins,
		FrameAncestors: s.frameAncestors, RateLimits: s.rateLimits.replica,
		Providers: s.providers(database),
		DemoMail:  s.demoMail, DemoSignIn: s.demoSignIn, AnswersHost: s.answers,
	})
	if err != nil {
		return err
	}
	// Before any deadline is applied: the time since the last heartbeat can be an outage.
	if err := database.UnscopedHeartbeat(ctx); err != nil {
		return unlessEnded(ctx, err)
	}
	front.api.Store(api)
	if err := s.announce(ctx, database); err != nil {
		return unlessEnded(ctx, err)
	}

	group, running := errgroup.WithContext(ctx)
	group.Go(func() error { return api.WatchReadiness(running) })
	if s.dispatcher {
		if err := s.deliver(running, group, database, registry); err != nil {
			return err
		}
	}
	group.Go(func() error {
		runJobs(running, jobs(database, s.eventRetention), jobMetrics, s.log)
		return nil
	})
	return group.Wait()
}

// providers returns the client of OpenID Connect providers, or nil if nothing may be sent.
func (s service) providers(database *store.Store) *openid.Client {
	if s.silent {
		return nil
	}
	opts := s.webhookOptions(database, nil)
	opts.Timeout = openid.Timeout
	return openid.New(openid.Options{
		Transport: webhooks.NewTransport(opts, s.providerHosts), AllowInsecure: s.webhookAllowInsecure, Now: database.Now,
	})
}

// ping returns the function that sends test events.
func (s service) ping(
	database *store.Store,
) func(context.Context, string, store.Target) (store.Attempt, error) {
	if s.silent {
		return func(context.Context, string, store.Target) (store.Attempt, error) {
			return store.Attempt{}, store.ErrNothingOutgoing
		}
	}
	pinger := webhooks.NewPinger(s.webhookOptions(database, nil))
	return func(ctx context.Context, organizationID string, target store.Target) (store.Attempt, error) {
		attempt, err := pinger.Ping(ctx, organizationID, target)
		if errors.Is(err, webhooks.ErrTooManyPings) {
			err = store.ErrTooManyTests
		}
		return attempt, err
	}
}

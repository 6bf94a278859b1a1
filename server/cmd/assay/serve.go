package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"golang.org/x/sync/errgroup"

	"assay/server"
	"assay/server/partners"
	"assay/store"
	"assay/webhooks"
)

const (
	sweepInterval = time.Second

	// foldInterval is the delay of the statistics. The contract promises 10 s.
	foldInterval = 2 * time.Second
)

type serveCommand struct {
	config       `embed:""`
	NoDispatcher bool `help:"Do not deliver webhooks and email; assay dispatch does."`
}

// Run serves until the context ends.
func (c serveCommand) Run(ctx context.Context, stdout io.Writer) error {
	set, err := c.check(os.Stderr)
	if err != nil {
		return err
	}
	tuneGC()
	if set.secretGenerated && strings.HasPrefix(set.databaseURL, "postgres") {
		set.log.Warn("the master secret comes from this machine's data folder; several replicas need the same ASSAY_SECRET")
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", set.addr)
	if err != nil {
		return err
	}
	if set.baseURL == "" {
		if ip := listener.Addr().(*net.TCPAddr).IP; ip.IsUnspecified() {
			set.log.Warn("ASSAY_BASE_URL is not set, so links contain an address that clients cannot open")
		}
		set.baseURL = "http://" + listener.Addr().String()
	}
	database, err := openStore(ctx, set)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer func() { _ = database.Close() }()
	_, _ = fmt.Fprintf(stdout, "Assay %s listens on %s (dashboard at %s/app, documentation at %s/docs)\n",
		versionText(), set.baseURL, set.baseURL, set.baseURL)
	if err := printSetup(ctx, stdout, database, set.baseURL); err != nil {
		return errors.Join(err, listener.Close())
	}
	return service{
		settings: set, database: database, listener: listener, dispatcher: !c.NoDispatcher, notice: drainNotice,
	}.run(ctx)
}

// printSetup prints how to register the first organization, until one exists. Only
// the output has the token, never the log. The link has it after the #, which a browser
// sends to no server.
func printSetup(ctx context.Context, stdout io.Writer, database *store.Store, baseURL string) error {
	token, err := database.UnscopedSetupToken(ctx)
	if token == "" || err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, `
No organization exists yet. Open this link to create the first one:

  %s/app/register#%s

Or use "assay create-organization", or POST %s/v1/auth/register with the text after # as setupToken.

`, baseURL, token, baseURL)
	return err
}

// service is the running service of the commands serve and demo.
type service struct {
	settings
	database   *store.Store
	listener   net.Listener
	dispatcher bool
	notice     time.Duration
	demoMail   func() []server.DemoEmail // of the demo
	demoSignIn func(context.Context, store.Scope) (store.SignedIn, error)
	answers    func(host string) bool // of the demo
}

// gcPercent keeps the memory of a dispatcher below 60 MiB at full speed. A value of
// 400 saves a few percent of the CPU and takes about 12 MiB more.
const gcPercent = 200

// tuneGC uses more memory and less CPU than Go's default, which collects a
// small heap very often. The variables GOGC and GOMEMLIMIT take precedence.
func tuneGC() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(512 << 20)
	}
}

func openStore(ctx context.Context, set settings) (*store.Store, error) {
	return openStoreAt(ctx, set, time.Now)
}

func openStoreAt(ctx context.Context, set settings, now func() time.Time) (*store.Store, error) {
	if set.webhookAllowInsecure {
		set.log.Warn("webhooks can go to http and private addresses; use this only for development")
	}
	database, err := store.Open(ctx, store.Options{
		DatabaseURL: set.databaseURL, DatabaseReadURL: set.databaseReadURL,
		TransactionPooling: set.transactionPooling, Keys: set.keys, BaseURL: set.baseURL, Now: now, Log: set.log,
		AllowInsecureWebhooks: set.webhookAllowInsecure, SignInLimits: set.rateLimits.signIn,
		Quotas: set.quotas, DeadlineGrace: set.deadlineGrace, EventRetention: set.eventRetention,
		Registration: set.registration,
		SendsEmail:   set.mail.configured(),
	})
	if err != nil {
		return nil, err
	}
	if err := database.Migrate(ctx); err != nil {
		return nil, errors.Join(err, database.Close())
	}
	return database, nil
}

// run runs the API, the admin listener, the sweeper, the statistics, and the
// dispatcher until ctx ends. Then it drains.
func (s service) run(ctx context.Context) error {
	registry := newRegistry()
	metrics, err := server.NewMetrics(registry)
	if err != nil {
		return err
	}
	api, err := server.New(server.Options{
		Store: s.database, BaseURL: s.baseURL, Now: time.Now, Log: s.log, Metrics: metrics,
		Ping:           webhooks.NewPinger(s.webhookOptions(s.database, nil)).Ping,
		TrustedProxies: s.trustedProxies, CORSOrigins: s.corsOrigins,
		FrameAncestors: s.frameAncestors, RateLimits: s.rateLimits.replica,
		DemoMail: s.demoMail, DemoSignIn: s.demoSignIn, AnswersHost: s.answers,
	})
	if err != nil {
		return err
	}
	// Before any deadline is applied: the time since the last heartbeat can be an outage.
	if err := s.database.UnscopedHeartbeat(ctx); err != nil {
		return err
	}
	public := newPublicServer(s.listener, newHTTPServer(api, s.log))
	group, running := errgroup.WithContext(ctx)
	if s.dispatcher {
		dispatcher, err := webhooks.New(s.webhookOptions(s.database, registry))
		if err != nil {
			return err
		}
		group.Go(func() error { return dispatcher.Run(running) })
		if err := s.runMail(running, group, s.database, registry); err != nil {
			return err
		}
		group.Go(func() error { return s.partnerWorker(s.database).Run(running) })
	}
	group.Go(public.serve)
	group.Go(func() error { return beat(running, s.database, s.log) })
	group.Go(func() error { return sweep(running, s.database, s.log) })
	group.Go(func() error { return applyCorrections(running, s.database, s.log) })
	group.Go(func() error { return foldStatistics(running, s.database, s.log) })
	group.Go(func() error { return indexWords(running, s.database, s.log) })
	group.Go(func() error { return queueReplays(running, s.database, s.log) })
	group.Go(func() error { return serveAdmin(running, s.settings, registry) })
	group.Go(func() error {
		<-running.Done()
		api.Drain()
		time.Sleep(s.notice)
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
		defer cancel()
		return public.drain(ending)
	})
	return group.Wait()
}

func newRegistry() *prometheus.Registry {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return registry
}

func (s settings) webhookOptions(database *store.Store, registry prometheus.Registerer) webhooks.Options {
	return webhooks.Options{
		Store: database, Now: time.Now, Log: s.log, Registry: registry, Version: versionText(),
		Timeout: s.webhookTimeout, Backoff: s.webhookBackoff, Retention: s.eventRetention,
		AllowInsecure: s.webhookAllowInsecure, HidePrivate: s.hidePrivate,
	}
}

// partnerWorker sends callbacks to applicant tracking systems, with the address checks and the timeout of webhooks.
func (s settings) partnerWorker(database *store.Store) *partners.Worker {
	return partners.NewWorker(partners.Options{
		Store: database, Log: s.log, Send: webhooks.NewCaller(s.webhookOptions(database, nil)).Call,
	})
}

type dispatchCommand struct {
	config `embed:""`
}

// Run delivers webhooks and email until the context ends.
func (c dispatchCommand) Run(ctx context.Context, stdout io.Writer) error {
	set, err := c.check(os.Stderr)
	if err != nil {
		return err
	}
	tuneGC()
	database, err := openStore(ctx, set)
	if err != nil {
		return err
	}
	defer func() { _ = database.Close() }()
	registry := newRegistry()
	dispatcher, err := webhooks.New(set.webhookOptions(database, registry))
	if err != nil {
		return err
	}
	group, running := errgroup.WithContext(ctx)
	if err := set.runMail(running, group, database, registry); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(stdout, "Assay %s delivers webhooks%s\n", versionText(), andEmail(set.mail.configured()))
	group.Go(func() error { return dispatcher.Run(running) })
	group.Go(func() error { return set.partnerWorker(database).Run(running) })
	group.Go(func() error { return serveAdmin(running, set, registry) })
	return group.Wait()
}

func newHTTPServer(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler: handler, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
		ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second,
		WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 32 << 10,
	}
}

// sweep applies deadlines to sessions that no request touches.
func sweep(ctx context.Context, database *store.Store, log *slog.Logger) error {
	ticker := time.NewTicker(sweepInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		if _, err := database.UnscopedSweep(ctx); err != nil && ctx.Err() == nil {
			log.ErrorContext(ctx, "sweep failed", "error", err)
		}
	}
}

// foldStatistics keeps the statistics of assessments up to date.
func foldStatistics(ctx context.Context, database *store.Store, log *slog.Logger) error {
	ticker := time.NewTicker(foldInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		for folded := 1; folded > 0 && ctx.Err() == nil; {
			var err error
			if folded, err = database.UnscopedFoldStatistics(ctx); err != nil && ctx.Err() == nil {
				log.ErrorContext(ctx, "statistics not updated, retrying", "error", err)
			}
		}
	}
}

// serveAdmin serves /metrics, and /debug/pprof if it is on. Neither must be public: a
// profile costs CPU, and shows what the process does.
func serveAdmin(ctx context.Context, set settings, registry *prometheus.Registry) error {
	if set.adminAddr == "" {
		return nil
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", set.adminAddr)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", metricsHandler(registry))
	if set.pprof {
		mux.HandleFunc("GET /debug/pprof/", pprof.Index) // without cmdline: flags can contain secrets
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	}
	admin := newHTTPServer(mux, set.log)
	go func() {
		<-ctx.Done()
		_ = admin.Close()
	}()
	return ignoreClosed(admin.Serve(listener))
}

// metricsHandler serves the metrics that can be collected. Without the database
// the queue cannot be measured, but operators need the other metrics.
func metricsHandler(registry *prometheus.Registry) http.Handler {
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError})
}

func ignoreClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

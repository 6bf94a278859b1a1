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
	"assay/store"
)

const (
	// drainNotice is how long readiness is off, and answers ask for a new
	// connection, before connections are closed: clients and balancers move on.
	drainNotice = time.Second
	// shutdownTimeout bounds how long running requests are waited for.
	shutdownTimeout = 30 * time.Second

	sweepInterval = time.Second
)

type serveCommand struct {
	config `embed:""`
}

// Run serves until the context ends.
func (c serveCommand) Run(ctx context.Context, stdout io.Writer) error {
	set, err := c.check(os.Stderr)
	if err != nil {
		return err
	}
	tuneGC()
	if set.secretMade && strings.HasPrefix(set.databaseURL, "postgres") {
		set.log.Warn("the master secret is of this machine's data folder: with several replicas set ASSAY_SECRET to the same on each")
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", set.addr)
	if err != nil {
		return err
	}
	if set.baseURL == "" {
		set.baseURL = "http://" + listener.Addr().String()
	}
	database, err := openStore(ctx, set)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer func() { _ = database.Close() }()
	_, _ = fmt.Fprintf(stdout, "Assay %s listens on %s\n", versionText(), set.baseURL)
	return serve(ctx, set, database, listener, drainNotice)
}

// tuneGC trades memory that is there anyway for a fifth of the CPU: a small
// heap is collected very often by default. GOGC and GOMEMLIMIT go first.
func tuneGC() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(512 << 20)
	}
}

func openStore(ctx context.Context, set settings) (*store.Store, error) {
	database, err := store.Open(ctx, store.Options{
		DatabaseURL: set.databaseURL, Keys: set.keys, BaseURL: set.baseURL, Now: time.Now, Log: set.log,
	})
	if err != nil {
		return nil, err
	}
	if err := database.Migrate(ctx); err != nil {
		return nil, errors.Join(err, database.Close())
	}
	return database, nil
}

// serve runs the API, the admin listener and the sweeper until ctx ends, then
// drains.
func serve(ctx context.Context, set settings, database *store.Store, listener net.Listener, notice time.Duration) error {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	metrics, err := server.NewMetrics(registry)
	if err != nil {
		return err
	}
	api, err := server.New(server.Options{
		Store: database, BaseURL: set.baseURL, Now: time.Now, Log: set.log, Metrics: metrics,
		TrustedProxies: set.trustedProxies, CORSOrigins: set.corsOrigins,
	})
	if err != nil {
		return err
	}
	public := newHTTPServer(api, set.log)
	group, running := errgroup.WithContext(ctx)
	group.Go(func() error { return ignoreClosed(public.Serve(listener)) })
	group.Go(func() error { return sweep(running, database, set.log) })
	if set.adminAddr != "" {
		group.Go(func() error { return serveAdmin(running, set, registry) })
	}
	group.Go(func() error {
		<-running.Done()
		api.Drain()
		time.Sleep(notice)
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
		defer cancel()
		return public.Shutdown(ending)
	})
	return group.Wait()
}

func newHTTPServer(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler: handler, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
		ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 32 << 10,
	}
}

// sweep applies the deadlines of candidates who never come back.
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

// serveAdmin answers /metrics and /debug/pprof, which are not for the public.
func serveAdmin(ctx context.Context, set settings, registry *prometheus.Registry) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", set.adminAddr)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	admin := newHTTPServer(mux, set.log)
	go func() {
		<-ctx.Done()
		_ = admin.Close()
	}()
	return ignoreClosed(admin.Serve(listener))
}

func ignoreClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"assay/server/partners"
	"assay/store"
	"assay/webhooks"
)

type serveCommand struct {
	config       `embed:""`
	NoDispatcher bool `help:"Do not deliver webhooks and email; assay dispatch does."`
	NoOutgoing   bool `help:"Send nothing to other systems, to try a copy of the data: no webhooks, email, or callbacks."`
}

// Run serves until the context ends.
func (c serveCommand) Run(ctx context.Context, stdout io.Writer) error {
	set, err := c.check(os.Stderr)
	if err != nil {
		return err
	}
	tuneGC()
	if set.traces, err = newTracing(ctx, set.log); err != nil {
		return err
	}
	defer set.traces.close(set.log)
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
	if c.NoOutgoing {
		set.log.Warn("nothing is sent to other systems (--no-outgoing); webhooks, email, and callbacks stay queued")
	}
	return service{
		settings: set, listener: listener, dispatcher: !c.NoDispatcher && !c.NoOutgoing, silent: c.NoOutgoing,
		notice: drainNotice,
		open:   func(ctx context.Context) (*store.Store, error) { return openComplete(ctx, set) },
		announce: func(ctx context.Context, database *store.Store) error {
			_, _ = fmt.Fprintf(stdout, "Assay %s listens on %s (dashboard at %s/app, documentation at %s/docs)\n",
				versionText(), set.baseURL, set.baseURL, set.baseURL)
			if c.NoOutgoing {
				_, _ = fmt.Fprintln(stdout, "It sends no webhooks, email, or callbacks (--no-outgoing). They stay queued.")
			}
			return printSetup(ctx, stdout, database, set.baseURL)
		},
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
		DatabaseURL: set.databaseURL, DatabaseReadURL: set.databaseReadURL, Application: set.application,
		TransactionPooling: set.transactionPooling, Keys: set.keys, BaseURL: set.baseURL, Now: now, Log: set.log,
		Release: versionText(), Tracer: set.traces.tracer(),
		AllowInsecureWebhooks: set.webhookAllowInsecure, SignInLimits: set.rateLimits.signIn,
		Quotas: set.quotas, DeadlineGrace: set.deadlineGrace, EventRetention: set.eventRetention,
		Registration: set.registration,
		SendsEmail:   set.mail.configured(),
	})
	if err != nil {
		return nil, err
	}
	if err := checkDatabase(ctx, set, database); err != nil {
		return nil, errors.Join(err, database.Close())
	}
	if err := database.Migrate(ctx); err != nil {
		return nil, errors.Join(err, database.Close())
	}
	if err := endFirstStart(set.firstStart); err != nil {
		return nil, errors.Join(err, database.Close())
	}
	return database, nil
}

func (s settings) webhookOptions(database *store.Store, registry prometheus.Registerer) webhooks.Options {
	return webhooks.Options{
		Queue: database.Queue(), Now: time.Now, Log: s.log, Registry: registry, Version: versionText(),
		Tracer:  s.traces.tracer(),
		Timeout: s.webhookTimeout, Backoff: s.webhookBackoff,
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
	if set.traces, err = newTracing(ctx, set.log); err != nil {
		return err
	}
	defer set.traces.close(set.log)
	registry := newRegistry()
	group, running := errgroup.WithContext(ctx)
	group.Go(func() error { return serveAdmin(running, set, registry) })
	group.Go(func() error {
		database, err := openComplete(running, set)
		if err != nil {
			return unlessEnded(running, err)
		}
		defer func() { _ = database.Close() }()
		if err := registry.Register(databaseMetrics{database}); err != nil {
			return err
		}
		_, _ = fmt.Fprintf(stdout, "Assay %s delivers webhooks%s\n", versionText(), andEmail(set.mail.configured()))
		delivering, ending := errgroup.WithContext(running)
		if err := set.deliver(ending, delivering, database, registry); err != nil {
			return err
		}
		return delivering.Wait()
	})
	return group.Wait()
}

// deliver sends webhooks, email, and callbacks in the group until ctx ends.
func (s settings) deliver(
	ctx context.Context, group *errgroup.Group, database *store.Store, registry prometheus.Registerer,
) error {
	dispatcher, err := webhooks.New(s.webhookOptions(database, registry))
	if err != nil {
		return err
	}
	if err := s.runMail(ctx, group, database, registry); err != nil {
		return err
	}
	group.Go(func() error { return dispatcher.Run(ctx) })
	group.Go(func() error { return s.partnerWorker(database).Run(ctx) })
	return nil
}

func newHTTPServer(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler: handler, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
		ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second,
		WriteTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 32 << 10,
	}
}

package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/pprof"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

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

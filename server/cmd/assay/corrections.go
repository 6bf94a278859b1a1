package main

import (
	"context"
	"log/slog"
	"time"

	"assay/store"
)

const (
	// correctionsInterval is how soon a new correction is found.
	correctionsInterval = time.Second

	// heartbeatEvery is how often the service records that it is ready.
	heartbeatEvery = 5 * time.Second
)

// applyCorrections applies corrections of assessments to finished sessions. After each batch it
// pauses for as long as the batch took, so that candidates get the database, too.
func applyCorrections(ctx context.Context, database *store.Store, log *slog.Logger) error {
	pause := correctionsInterval
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
		began := time.Now()
		_, more, err := database.UnscopedApplyCorrections(ctx)
		if err != nil && ctx.Err() == nil {
			log.ErrorContext(ctx, "a correction could not be applied, retrying", "error", err)
		}
		pause = correctionsInterval
		if more && err == nil {
			pause = time.Since(began)
		}
	}
}

// beat records that the service is ready, so that its own outages do not count against candidates.
func beat(ctx context.Context, database *store.Store, log *slog.Logger) error {
	ticker := time.NewTicker(heartbeatEvery)
	defer ticker.Stop()
	for {
		if err := database.UnscopedHeartbeat(ctx); err != nil && ctx.Err() == nil {
			log.ErrorContext(ctx, "heartbeat failed, retrying", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

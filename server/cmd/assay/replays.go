package main

import (
	"context"
	"log/slog"
	"time"

	"assay/store"
)

// replaysInterval is how often the rest of large replays is queued.
const replaysInterval = time.Second

// queueReplays queues the deliveries of replays that are too large for their request.
func queueReplays(ctx context.Context, database *store.Store, log *slog.Logger) error {
	ticker := time.NewTicker(replaysInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		if err := database.UnscopedQueueReplays(ctx); err != nil && ctx.Err() == nil {
			log.ErrorContext(ctx, "queueing the deliveries of replays failed, retrying", "error", err)
		}
	}
}

package main

import (
	"context"
	"log/slog"
	"time"

	"assay/store"
)

// wordsInterval is how often the words of new sessions are written.
const wordsInterval = 5 * time.Second

// indexWords writes the words by which sessions are found. After a migration it writes
// those of all sessions; it then works half of the time, so that other writes can too.
func indexWords(ctx context.Context, database *store.Store, log *slog.Logger) error {
	for pause := wordsInterval; ; {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
		began := time.Now()
		more, err := database.UnscopedIndexWords(ctx)
		if err != nil && ctx.Err() == nil {
			log.ErrorContext(ctx, "writing the words of sessions failed", "error", err)
		}
		pause = wordsInterval
		if more && err == nil {
			pause = time.Since(began)
		}
	}
}

package storetest

import (
	"context"
	"errors"
	"time"

	"assay/store"
)

// Purge runs the jobs that remove what is kept for a time only. Events are kept for the given time.
func Purge(ctx context.Context, s *store.Store, keep time.Duration) error {
	return errors.Join(
		s.UnscopedPurgeExpired(ctx), s.UnscopedPurgePreviews(ctx),
		s.UnscopedRemoveErasedCopies(ctx), s.UnscopedPurgeEvents(ctx, keep), s.UnscopedPurgeAuditLog(ctx))
}

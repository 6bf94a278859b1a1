package store

import (
	"context"
	"time"
)

// Replay is the input of ReplayWebhook. An empty field does not narrow it.
type Replay struct {
	Since, Until time.Time // Until is exclusive
	EventType    EventType
	Status       DeliveryStatus // not PENDING
	DryRun       bool           // queues nothing
}

// Replayed is the outcome of ReplayWebhook.
type Replayed struct {
	Count   int  // deliveries that were queued, or that would be
	HasMore bool // more events match than one call replays
}

// maxReplay bounds the deliveries of one call.
const maxReplay = 10_000

// ReplayWebhook queues the events of a time span again, oldest first. It stores which events these are, and queues
// the first of them. queue.QueueReplays queues the rest, so that no request waits for thousands of rows. If the
// quota of deliveries has room for fewer, it takes fewer. Refusals: not_found, webhook_disabled, invalid_request,
// delivery_quota_exceeded.
func (s *Store) ReplayWebhook(ctx context.Context, scope Scope, webhookID string, in Replay) (Replayed, error) {
	if !in.Until.After(in.Since) {
		return Replayed{}, errEmptyReplaySpan
	}
	unfinished, err := s.cancelForReplay(ctx, scope, webhookID, in)
	if err != nil {
		return Replayed{}, err
	}
	if in.DryRun {
		ids, hasMore, err := s.read().replayed(ctx, scope, webhookID, in, maxReplay)
		return Replayed{len(ids), hasMore || unfinished}, err
	}
	used, err := s.quotaLoad(ctx, scope)
	if err != nil {
		return Replayed{}, err
	}
	var replayed Replayed
	err = once(ctx, s, scope, &replayed, func(c conn) error {
		room := s.room(used)
		ids, hasMore, err := c.replayed(ctx, scope, webhookID, in, min(maxReplay, room.queue))
		if err != nil {
			return err
		}
		if full := room.forDeliveries(); full != nil {
			return full
		}
		replayed = Replayed{len(ids), hasMore || unfinished}
		if err := s.queue.StoreReplay(ctx, c.Conn, scope.OrganizationID, webhookID, ids); err != nil {
			return err
		}
		c.queued(scope.OrganizationID, int64(len(ids)))
		return c.audit(ctx, scope, AuditWebhookReplayed, webhookID, valueOf("queued", len(ids)))
	})
	if err == nil {
		_ = s.queue.QueueReplayTo(ctx, webhookID) // or else queue.QueueReplays does
	}
	return replayed, err
}

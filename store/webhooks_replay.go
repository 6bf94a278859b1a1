package store

import (
	"context"
	"slices"
	"time"

	"assay/store/internal/db"
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

// maxReplay bounds one call, which is one transaction.
const maxReplay = 10_000

// ReplayWebhook queues the events of a time span again, oldest first, locked as in
// RedeliverDelivery. If the quota of deliveries has room for fewer, it queues fewer.
// Refusals: not_found, webhook_disabled, invalid_request, delivery_quota_exceeded.
func (s *Store) ReplayWebhook(ctx context.Context, scope Scope, webhookID string, in Replay) (Replayed, error) {
	if !in.Until.After(in.Since) {
		return Replayed{}, errEmptyReplaySpan
	}
	if in.DryRun {
		return s.read().replayable(ctx, scope, webhookID, in)
	}
	used, err := s.quotaLoad(ctx, scope)
	if err != nil {
		return Replayed{}, err
	}
	var replayed Replayed
	err = once(ctx, s, scope, &replayed, func(c conn) error {
		chosen, err := c.replayed(ctx, scope, webhookID, in)
		if err != nil {
			return err
		}
		room := s.room(used)
		if full := room.forDeliveries(); full != nil {
			return full
		}
		limit, firstID, now := min(maxReplay, room.queue), s.NewID("dlv"), s.Now().UnixMicro()
		queued, err := c.Exec(ctx, `
			INSERT INTO webhook_queue (delivery_id, organization_id, webhook_id, event_id, event_type, run_at, lease, attempt,
				created_at)
			SELECT `+deliveryID+`, w.organization_id, CAST(? AS TEXT), w.id, w.type, ?, '', 0, ?
			FROM (SELECT chosen.organization_id, chosen.id, chosen.type, ROW_NUMBER() OVER (ORDER BY chosen.id) AS n
				FROM (SELECT organization_id, id, type FROM events`+chosen.sql.String()+`
					ORDER BY id LIMIT ?`+s.db.ForShare+`) chosen) w`,
			slices.Concat([]any{firstID, webhookID, now, now}, chosen.args, []any{limit})...)
		if err != nil {
			return err
		}
		replayed.Count = int(queued)
		if queued == limit {
			// The events are not counted before, because reading them twice takes a tenth longer.
			chosen.and(`id > (SELECT event_id FROM webhook_queue WHERE organization_id = ?`, scope.OrganizationID)
			chosen.and(`delivery_id < ? ORDER BY delivery_id DESC LIMIT 1)`, afterDeliveries(firstID))
			var more int
			err = c.Get(ctx, &more, `SELECT COUNT(*) FROM (SELECT id FROM events`+chosen.sql.String()+` ORDER BY id LIMIT 1) e`,
				chosen.args...)
			if err != nil {
				return err
			}
			replayed.HasMore = more > 0
		}
		c.queued(scope.OrganizationID, queued)
		return c.audit(ctx, scope, AuditWebhookReplayed, webhookID, valueOf("queued", queued))
	})
	return replayed, err
}

// replayable counts the events that a replay queues.
func (c conn) replayable(ctx context.Context, scope Scope, webhookID string, in Replay) (Replayed, error) {
	where, err := c.replayed(ctx, scope, webhookID, in)
	if err != nil {
		return Replayed{}, err
	}
	var matching int
	err = c.Get(ctx, &matching, `SELECT COUNT(*) FROM (SELECT id FROM events`+where.sql.String()+` ORDER BY id LIMIT ?) e`,
		append(where.args, maxReplay+1)...)
	return Replayed{Count: min(matching, maxReplay), HasMore: matching > maxReplay}, err
}

// replayed returns the filter that selects the events of a replay.
func (c conn) replayed(ctx context.Context, scope Scope, webhookID string, in Replay) (*filter, error) {
	endpoint, err := c.enabledWebhook(ctx, scope, webhookID)
	if err != nil {
		return nil, err
	}
	where := filterOf(scope, Page{})
	if in.EventType != "" {
		where.and("type = ?", in.EventType)
	}
	where.created(keptEvents, &in.Since, &in.Until, storedInstant)
	// PostgreSQL takes a LIKE for rare. It would sort all events of the organization, and not read the first in an index.
	where.and("CASE WHEN ? LIKE '% ' || type || ' %' THEN TRUE ELSE FALSE END", " "+endpoint.EventList+" ")
	switch in.Status {
	case "":
	case DeliverySucceeded: // as nearly all events have
		where.and(`EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.event_id = events.id AND d.status = 'SUCCEEDED'
			AND d.webhook_id = ?)`, webhookID)
	default:
		where.and(`id IN (SELECT d.event_id FROM webhook_deliveries d WHERE d.webhook_id = ?`, webhookID)
		where.and(`d.status <> 'SUCCEEDED' AND d.status = ?`, in.Status)
		where.and(`d.id >= ?`, endedDeliveries.boundary(in.Since.Add(-db.MaxWriteTime)))
		where.and(`NOT EXISTS (SELECT 1 FROM webhook_deliveries later WHERE later.event_id = d.event_id
			AND later.webhook_id = d.webhook_id AND later.status = 'SUCCEEDED'))`)
	}
	return where, nil
}

package store

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"
)

// DeliveryStatus is the state of a delivery.
type DeliveryStatus string

// The statuses of a delivery.
const (
	DeliveryPending   DeliveryStatus = "PENDING"
	DeliverySucceeded DeliveryStatus = "SUCCEEDED"
	DeliveryFailed    DeliveryStatus = "FAILED"
	DeliveryCancelled DeliveryStatus = "CANCELLED"
)

// Delivery is the delivery of one event to one endpoint. A pending delivery is in
// webhook_queue, an ended one in webhook_deliveries, and none is in both.
type Delivery struct {
	ID            string         `db:"id"`
	WebhookID     string         `db:"webhook_id"`
	EventID       string         `db:"event_id"`
	EventType     EventType      `db:"event_type"`
	Status        DeliveryStatus `db:"status"`
	AttemptCount  int            `db:"attempt"`
	NextAttemptAt *Time          `db:"next_attempt_at"`
	CreatedAt     Time           `db:"created_at"`
	CompletedAt   *Time          `db:"completed_at"`
}

// FailureReason is the reason for which an attempt failed.
type FailureReason string

// The reasons for which an attempt fails.
const (
	FailedStatus     FailureReason = "HTTP_STATUS"
	FailedTimeout    FailureReason = "TIMEOUT"
	FailedDNS        FailureReason = "DNS"
	FailedConnection FailureReason = "CONNECTION"
	FailedTLS        FailureReason = "TLS"
	FailedAddress    FailureReason = "ADDRESS_REFUSED"
	FailedRedirect   FailureReason = "REDIRECT_REFUSED"
	FailedGone       FailureReason = "ENDPOINT_GONE"
)

// Attempt is one request to an endpoint, and the response.
type Attempt struct {
	Number        int            `db:"number"`
	StartedAt     Time           `db:"started_at"`
	DurationMS    int64          `db:"duration_ms"`
	StatusCode    *int           `db:"status_code"`
	FailureReason *FailureReason `db:"failure_reason"`
	ResponseBody  string         `db:"response_body"` // the first 1 KiB, valid UTF-8
}

// run_at of a queued delivery is the time of the next attempt, or, while an attempt
// runs, the end of its lease.
const (
	pendingColumns = `SELECT delivery_id AS id, webhook_id, event_id, event_type, 'PENDING' AS status, attempt,
		run_at AS next_attempt_at, created_at, NULL AS completed_at FROM webhook_queue`
	endedColumns = `SELECT id, webhook_id, event_id, event_type, status, attempt, NULL AS next_attempt_at, created_at,
		completed_at FROM webhook_deliveries`
)

// DeliveryFilter narrows ListDeliveries. A zero field does not narrow it.
type DeliveryFilter struct {
	Status    DeliveryStatus
	EventType EventType
}

// ListDeliveries returns a page of an endpoint's deliveries, and whether there are
// more. Refusal: not_found.
func (s *Store) ListDeliveries(
	ctx context.Context, scope Scope, webhookID string, in DeliveryFilter, page Page,
) ([]Delivery, bool, error) {
	c := s.read()
	if _, err := c.webhook(ctx, scope, webhookID); err != nil {
		return nil, false, err
	}
	var pending, ended []Delivery
	if in.Status == "" || in.Status == DeliveryPending {
		where := deliveryFilter(scope, webhookID, "delivery_id", in, page)
		if err := c.List(ctx, &pending, pendingColumns+where.sql.String()+" ORDER BY delivery_id DESC LIMIT ?",
			append(where.args, page.Limit+1)...); err != nil {
			return nil, false, err
		}
	}
	if in.Status != DeliveryPending {
		where := deliveryFilter(scope, webhookID, "id", in, page)
		if in.Status != "" {
			where.and("status = ?", in.Status)
		}
		if err := c.List(ctx, &ended, endedColumns+where.sql.String()+" ORDER BY id DESC LIMIT ?",
			append(where.args, page.Limit+1)...); err != nil {
			return nil, false, err
		}
	}
	deliveries, more := cut(newestDeliveries(pending, ended), page.Limit)
	return deliveries, more, nil
}

func deliveryFilter(scope Scope, webhookID, id string, in DeliveryFilter, page Page) *filter {
	where := filterOf(scope, Page{})
	where.and("webhook_id = ?", webhookID)
	if page.After != "" {
		where.and(id+" < ?", page.After)
	}
	if in.EventType != "" {
		where.and("event_type = ?", in.EventType)
	}
	return where
}

// newestDeliveries merges pending and ended deliveries. A delivery that ended
// between the two queries is in both lists, and only the ended one remains.
func newestDeliveries(pending, ended []Delivery) []Delivery {
	all := append(slices.Clone(ended), pending...)
	slices.SortStableFunc(all, func(a, b Delivery) int { return cmp.Compare(b.ID, a.ID) })
	return slices.CompactFunc(all, func(a, b Delivery) bool { return a.ID == b.ID })
}

// DeliveryDetail is a delivery with every attempt, oldest first.
type DeliveryDetail struct {
	Delivery Delivery
	Attempts []Attempt
}

// RetrieveDelivery returns one delivery of the endpoint with its attempts. Refusal: not_found.
func (s *Store) RetrieveDelivery(ctx context.Context, scope Scope, webhookID, id string) (DeliveryDetail, error) {
	c := s.read()
	if _, err := c.webhook(ctx, scope, webhookID); err != nil {
		return DeliveryDetail{}, err
	}
	var detail DeliveryDetail
	var err error
	if detail.Delivery, err = c.delivery(ctx, scope, webhookID, id); err != nil {
		return DeliveryDetail{}, err
	}
	err = c.List(ctx, &detail.Attempts, `
		SELECT number, started_at, duration_ms, status_code, failure_reason, response_body FROM webhook_attempts
		WHERE delivery_id = ? ORDER BY number`, id)
	return detail, err
}

func (c conn) delivery(ctx context.Context, scope Scope, webhookID, id string) (Delivery, error) {
	// The queue first: a delivery that leaves it between the queries is found among the ended ones.
	var delivery Delivery
	err := c.Get(ctx, &delivery, pendingColumns+` WHERE organization_id = ? AND webhook_id = ? AND delivery_id = ?`,
		scope.OrganizationID, webhookID, id)
	if isNotFound(err) {
		err = c.Get(ctx, &delivery, endedColumns+` WHERE organization_id = ? AND webhook_id = ? AND id = ?`,
			scope.OrganizationID, webhookID, id)
	}
	return delivery, orRefuse(err, errNoDelivery)
}

// RedeliverDelivery queues the event of a delivery again. It locks the event, so
// that an erasure finds every queued delivery of it. Refusals: not_found, also when
// the event has been purged; webhook_disabled.
func (s *Store) RedeliverDelivery(ctx context.Context, scope Scope, webhookID, id string) (Delivery, error) {
	var queued Delivery
	err := once(ctx, s, scope, &queued, func(c conn) error {
		if err := c.requireEnabled(ctx, scope, webhookID); err != nil {
			return err
		}
		original, err := c.delivery(ctx, scope, webhookID, id)
		if err != nil {
			return err
		}
		fresh, now := s.NewID("dlv"), s.Now().UnixMicro()
		inserted, err := c.Exec(ctx, `
			INSERT INTO webhook_queue (delivery_id, organization_id, webhook_id, event_id, event_type, run_at, lease, attempt,
				created_at)
			SELECT ?, organization_id, ?, id, type, ?, '', 0, ? FROM events WHERE organization_id = ? AND id = ?`+s.db.ForShare,
			fresh, webhookID, now, now, scope.OrganizationID, original.EventID)
		if err == nil && inserted == 0 {
			err = errNoEvent
		}
		if err != nil {
			return err
		}
		c.AfterCommit(c.store.wake.send)
		queued, err = c.delivery(ctx, scope, webhookID, fresh)
		return err
	})
	return queued, err
}

func (c conn) requireEnabled(ctx context.Context, scope Scope, webhookID string) error {
	endpoint, err := c.webhook(ctx, scope, webhookID)
	if err == nil && !endpoint.Enabled {
		err = errWebhookDisabled
	}
	return err
}

// Replay is the input of ReplayWebhook. An empty field does not narrow it.
type Replay struct {
	Since, Until time.Time // Until is exclusive
	EventType    EventType
	Status       DeliveryStatus
}

// maxReplay bounds one call, which is one transaction.
const maxReplay = 10_000

// ReplayWebhook queues the events of a time span again, locked as in
// RedeliverDelivery, and returns their number, at most maxReplay. Refusals:
// not_found, webhook_disabled, invalid_request.
func (s *Store) ReplayWebhook(ctx context.Context, scope Scope, webhookID string, in Replay) (int, error) {
	if !in.Until.After(in.Since) {
		return 0, errEmptyReplaySpan
	}
	var queued int64
	err := once(ctx, s, scope, &queued, func(c conn) error {
		if err := c.requireEnabled(ctx, scope, webhookID); err != nil {
			return err
		}
		now := s.Now().UnixMicro()
		var err error
		queued, err = c.Exec(ctx, `
			INSERT INTO webhook_queue (delivery_id, organization_id, webhook_id, event_id, event_type, run_at, lease, attempt,
				created_at)
			SELECT `+deliveryID+`, w.organization_id, w.webhook_id, w.event_id, w.type, ?, '', 0, ?
			FROM (SELECT chosen.organization_id, chosen.webhook_id, chosen.event_id, chosen.type,
				ROW_NUMBER() OVER (ORDER BY chosen.event_id) AS n
				FROM (SELECT e.organization_id, h.id AS webhook_id, e.id AS event_id, e.type
				FROM events e JOIN webhook_endpoints h ON h.organization_id = e.organization_id
				WHERE e.organization_id = ? AND h.id = ? AND e.created_at >= ? AND e.created_at < ? AND (? OR e.type = ?)
					AND ' ' || h.events || ' ' LIKE '% ' || e.type || ' %'
					AND (? OR EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.event_id = e.id AND d.webhook_id = h.id
						AND d.status = ?)
						OR (? AND EXISTS (SELECT 1 FROM webhook_queue q WHERE q.event_id = e.id AND q.webhook_id = h.id)))
				ORDER BY e.id LIMIT ?`+s.db.ForShareOf("e")+`) chosen) w`,
			s.NewID("dlv"), now, now, scope.OrganizationID, webhookID, in.Since.UTC(), in.Until.UTC(),
			in.EventType == "", in.EventType, in.Status == "", in.Status, in.Status == DeliveryPending, maxReplay)
		if err != nil {
			return err
		}
		if queued > 0 {
			c.AfterCommit(c.store.wake.send)
		}
		return c.audit(ctx, scope, AuditWebhookReplayed, webhookID)
	})
	return int(queued), err
}

// deliveriesPerEvent bounds the deliveries that the event log shows for each event.
const deliveriesPerEvent = 100

// deliveriesOf returns the deliveries of the events, newest first, by event id.
func (c conn) deliveriesOf(ctx context.Context, scope Scope, eventIDs []string) (map[string][]Delivery, error) {
	ids, err := json.Marshal(eventIDs)
	if err != nil {
		return nil, err
	}
	chosen := ` WHERE organization_id = ? AND event_id IN (SELECT value ` + c.store.db.TextOf + ` FROM ` +
		c.store.db.JSONRows + `)`
	var pending, ended []Delivery
	if err := c.List(ctx, &pending, pendingColumns+chosen, scope.OrganizationID, string(ids)); err != nil {
		return nil, err
	}
	if err := c.List(ctx, &ended, endedColumns+chosen, scope.OrganizationID, string(ids)); err != nil {
		return nil, err
	}
	byEvent := make(map[string][]Delivery, len(eventIDs))
	for _, delivery := range newestDeliveries(pending, ended) {
		if of := byEvent[delivery.EventID]; len(of) < deliveriesPerEvent {
			byEvent[delivery.EventID] = append(of, delivery)
		}
	}
	return byEvent, nil
}
